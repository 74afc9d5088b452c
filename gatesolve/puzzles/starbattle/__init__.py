"""Star Battle (Two Not Touch): stars in every row, column and region, none touching another."""
