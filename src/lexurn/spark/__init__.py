"""The spark room: manifests to validated N-Quads on a cluster, by the functions of one machine."""
