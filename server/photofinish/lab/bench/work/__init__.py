"""The workloads of the bench, one file each. Each measures by itself and returns its figures."""
