"""Trouble with a job at IBM, from what cannot be sent to what cannot be read, is one line with its mend.

As in ``test_ibm_errors``: the real SDK against the stub service, with a key planted in the account.
"""

import pytest
from ibm_stub import INSTANCE, TOKEN
from ibm_stub_jobs import circuit, fake
from paper import suppress
from qiskit import ClassicalRegister, QuantumCircuit, transpile

from gatesolve.devices import UnconfirmedError
from gatesolve.devices.ibm import service as ibm
from gatesolve.errors import BackendError, DoesNotFitError, GatesolveError, InputError

pytestmark = pytest.mark.usefixtures("fresh")
PLAIN = suppress()


# --- sending ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("local", [False, True])
def test_circuits_that_a_backend_cannot_run(local, world, says):
    stub, _, manila, _ = world
    manila = fake("manila") if local else manila
    wide = QuantumCircuit(6)
    wide.add_register(ClassicalRegister(6, "measured"))
    raw = QuantumCircuit(3)
    raw.add_register(ClassicalRegister(3, "measured"))
    raw.ccx(0, 1, 2)
    elsewhere = QuantumCircuit(5)
    elsewhere.add_register(ClassicalRegister(1, "measured"))
    elsewhere.cx(0, 4)
    nameless = transpile(QuantumCircuit(2, 2), manila)
    cases = [
        ([wide], DoesNotFitError, r"the circuit has 6 qubits, \S+ has 5: use a larger backend"),
        ([raw], InputError, r"not compiled for \S+: .*ccx.*; compile it again"),
        ([elsewhere], InputError, r"not compiled for \S+: .*cx.*; compile it again"),
        ([nameless], InputError, "measures into no register named 'measured'"),
        ([], InputError, "at least one circuit"),
    ]
    for circuits, kind, pattern in cases:
        with says(kind, pattern):
            if local:
                ibm.run_local(manila, circuits, 10, 1, PLAIN)
            else:
                ibm.send(manila, circuits, 10, [], PLAIN)
    assert stub.jobs == []


@pytest.mark.parametrize("shots", [0, -1, 201])
def test_shots_over_the_limit(shots, world, says):
    stub = world[0]
    stub.faults.max_shots = 200
    backend = ibm.find("ibm_manila", ibm.connect())
    with says(InputError, rf"^{shots} shots: ibm_manila takes 1 to 200 in a job: use shots=200 or fewer$"):
        ibm.send(backend, [circuit(backend)], shots, [], PLAIN)


@pytest.mark.parametrize(
    "usage",
    [
        {"usage_limit_reached": True, "usage_consumed_seconds": 600},
        {"usage_limit_reached": True, "usage_limit_seconds": None},
    ],
)
def test_the_time_of_the_plan_is_spent(usage, world, says):
    stub, _, manila, _ = world
    stub.faults.usage = usage
    before = len(stub.jobs)
    with says(
        BackendError, "has used up its time on the quantum computers, so the job would never start: wait for the"
    ):
        ibm.send(manila, [circuit(manila)], 10, [], PLAIN)
    assert len(stub.jobs) == before


@pytest.mark.parametrize(
    ("status", "code", "pattern"),
    [
        (400, 3211, "has used up its time on the quantum computers"),
        (400, 4317, "has used up its time on the quantum computers"),
        (400, 1002, r"refused the request \(400\) \(IBM error 1002: https://quantum.cloud.ibm.com/docs/errors\)"),
        (400, None, r"refused the request \(400\): update qiskit-ibm-runtime"),
        (401, 1201, "IBM does not know the account's API key"),
        (403, 1200, "the account may not use this instance"),
        (409, None, r"refused the request \(409\)"),
        (429, 3458, r"refuses more requests or jobs for now: wait, then try again \(IBM error 3458"),
    ],
)
def test_a_job_that_is_refused(status, code, pattern, world, says):
    """The answer says that there is no job: nothing uncertain."""
    stub, _, manila, _ = world
    body = {"errors": [{"code": code or status, "message": f"no\nBearer {TOKEN}"}]}
    stub.rule("status_before", method="POST", path="/jobs$", value=status, body=body)
    with says(GatesolveError, pattern):
        try:
            ibm.send(manila, [circuit(manila)], 10, [], PLAIN)
        except UnconfirmedError as error:
            pytest.fail(f"uncertain: {error}")


def test_uncertain_sending(world, says):
    stub, _, manila, _ = world
    stub.rule("drop_after", method="POST", path="/jobs$")
    with says(
        UnconfirmedError,
        r"it is not known whether the job was sent \(the connection to IBM's service broke\): repeat the command",
    ):
        ibm.send(manila, [circuit(manila)], 10, [], PLAIN)


# --- jobs -------------------------------------------------------------------------------------------------------------


def sent(world, **behaviour):
    stub, _, manila, _ = world
    stub.faults.behaviour = behaviour
    return ibm.send(manila, [circuit(manila)], 10, ["t"], PLAIN)


@pytest.mark.parametrize(
    ("reason", "code", "pattern"),
    [
        ("Calibration lost.", 9999, r"failed on IBM's side: Error code 9999; Calibration lost; submit it with again"),
        (
            f"Traceback\n\x1b[31m apikey={TOKEN}\n",
            1,
            r"failed on IBM's side: Error code 1; Traceback \[31m \[hidden\]; ",
        ),
    ],
)
def test_a_failed_job(reason, code, pattern, world, says):
    job = sent(world, end="Failed", reason=reason, reason_code=code)
    assert ibm.state(world[1], job)[0] == "failed"
    with says(BackendError, f"^job {job} {pattern}"):
        ibm.results(world[1], job)


def test_a_cancelled_job(world, says):
    job = sent(world, queued_polls=99)
    world[1].job(job).cancel()
    with says(BackendError, f"^job {job} was cancelled and has no results: submit it once more with again=True$"):
        ibm.results(world[1], job)


@pytest.mark.parametrize("ask", [ibm.state, ibm.results])
def test_no_such_job(ask, world, says):
    with says(InputError, "IBM's service has no job 'd0nothing': it was deleted, or belongs to another account"):
        ask(world[1], "d0nothing")


@pytest.mark.parametrize(
    ("action", "pattern"),
    [("garbage", "gave an answer that cannot be read"), ("drop_before", "connection .* broke: try")],
)
@pytest.mark.parametrize("path", ["/jobs/[^/]*$", "/jobs/.*/results", "/jobs$"])
def test_answers_that_break(action, pattern, path, world, says):
    job = sent(world)
    world[0].rule(action, method="GET", path=path, times=99)
    with says(BackendError, pattern):
        if path == "/jobs$":
            ibm.look_up(world[1], "t")
        else:
            ibm.results(world[1], job)


def test_results_without_the_register(world, says):
    """Somebody else's job."""
    made = QuantumCircuit(1, 1)
    made.measure(0, 0)
    job = sent(world)
    from qiskit_ibm_runtime.executor_sampler import Sampler

    job = Sampler(mode=world[2]).run([transpile(made, world[2])], shots=5).job_id()
    with says(BackendError, f"job {job}: circuit 0 has no register 'measured'; gatesolve did not send it"):
        ibm.results(world[1], job)


@pytest.mark.parametrize("instance", [INSTANCE, ""])
def test_a_service_that_never_answers(instance, world, monkeypatch, says):
    """The SDK would wait for ever."""
    stub = world[0]
    monkeypatch.setenv("QISKIT_IBM_INSTANCE", instance)
    service = ibm.connect()
    monkeypatch.setattr("gatesolve.devices.ibm.http.READ_SECONDS", 0.1)
    stub.rule("slow", path="/jobs$", value=0.4, times=9)
    with says(BackendError, "did not answer in time: check the network"):
        ibm.look_up(service, "t")
