"""What requests are not made up."""

import schemathesis


@schemathesis.hook
def filter_path_parameters(context: schemathesis.HookContext, path_parameters: dict | None) -> bool:
    """The gateway cuts a path at an escaped question mark, so that the request is one of another address, which says so (405)."""
    return not any("?" in str(value) or "%3F" in str(value) for value in (path_parameters or {}).values())
