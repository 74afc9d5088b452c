"""Jobs on devices: what was asked, what was sent, what came back, kept so that nothing is lost or sent twice."""
