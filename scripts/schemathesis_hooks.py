"""What requests are not made up, and whose login they have."""

import pathlib

import schemathesis

from account_session import account_headers, renew

SESSION = pathlib.Path("session.json")

# A visitor and the staff have none.
if SESSION.exists():
    # An access token lives for a quarter of an hour (`functions/edge/src/token.rs`), and the requests may take longer.
    @schemathesis.auth(refresh_interval=600, retry_on=[])
    class AccountSession:
        """The session's access token, renewed in time."""

        def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> dict[str, str]:
            renew(SESSION)
            return account_headers(SESSION)

        def set(self, case: schemathesis.Case, headers: dict[str, str], context: schemathesis.AuthContext) -> None:
            case.headers.update(headers)


@schemathesis.hook
def filter_path_parameters(context: schemathesis.HookContext, path_parameters: dict | None) -> bool:
    """The gateway cuts a path at an escaped question mark, so that the request is one of another address, which says so (405)."""
    return not any("?" in str(value) or "%3F" in str(value) for value in (path_parameters or {}).values())
