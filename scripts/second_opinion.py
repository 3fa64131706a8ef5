"""The store's tests against moto, a third implementation of DynamoDB beside dynoxide and ministack."""

import os
import logging
import pathlib
import subprocess
import sys

from moto.server import ThreadedMotoServer

ROOT = pathlib.Path(__file__).parent.parent
# It copies every table with each transaction, so that a thousand of them take hours, and takes no request of more than half a megabyte.
TOO_LARGE = (
    "jobs::are_listed_for_the_operator",
    "jobs::pages_go_on_over_a_megabyte",
    "jobs::two_thousand_come_in_pages",
    "search::many_come_in_pages_and_one_with_many_jobs_is_in_nobodys_way",
    "shares::a_page_of_large_shares_is_a_short_one",
    "shares::heads_are_small",
)
# What it takes back of a transaction that is refused it takes from every table, also what another call has written meanwhile.
AT_ONCE = (
    "login_attempts::of_fifty_parallel_guesses_ten_are_answered",
    "submissions::of_different_jobs_at_once_all_are_stored",
    "submissions::of_fifty_different_ones_at_once_none_is_lost",
)


def main() -> int:
    # Else each request is a line.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    skipped = [word for test in TOO_LARGE + AT_ONCE for word in ("--skip", test)]
    tests = ["cargo", "test", "--workspace", "--test", "store", "--", "second_opinion", "--test-threads=1", *skipped]
    try:
        return subprocess.run(tests, cwd=ROOT, env=os.environ | {"ZW_SECOND_OPINION": f"http://{host}:{port}"}).returncode
    finally:
        moto.stop()


if __name__ == "__main__":
    sys.exit(main())
