"""Is the service of this container healthy? The image's health check: exit 0 if so, else 1 and the reasons.

It imports as little as it can, because it runs every few seconds beside the service.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException


def main() -> int:
    """Ask /healthz of the process that serves here; return the exit code."""
    port = int(os.environ.get("MAGNATE_METRICS_PORT", "9400"))
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        print(answer.read().decode(errors="replace").strip())
    except (OSError, HTTPException) as error:
        print(f"no answer on port {port}: {error}")
        return 1
    return 0 if answer.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
