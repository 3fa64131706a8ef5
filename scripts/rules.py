"""Holds the evaluated resources against what others know of AWS: cfn-lint (forms, values, lengths), checkov (what is thought safe), parliament
(policies).

What they find and is accepted, with its reason, is a row of docs/accepted-risks.md; a row that nothing needs any more is a fault, too.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import parliament

import resources
import template
from stack import ROOT

PAGE = ROOT / "docs/accepted-risks.md"
TOOLS = pathlib.Path(sys.executable).parent

# A stage with everything that a setting switches on, and one with nothing but what production needs.
STAGES = {
    "with everything": {
        "ZAEHLWERK_ALARM_EMAIL": "betrieb@example.de",
        "ZAEHLWERK_CUSTOMER_KEY": "yes",
        "ZAEHLWERK_DESK_HOST": "desk.example.de",
        "ZAEHLWERK_HOSTS": "*.zaehler.example.de, portal.example.de",
        "ZAEHLWERK_MAIL_DOMAINS": "example.de, post.example.de",
        "ZAEHLWERK_OWN_NAMES": "yes",
        "ZAEHLWERK_PHOTO_READING": "textract",
        "ZAEHLWERK_TRAIL": "yes",
        "ZAEHLWERK_WARM_WRITES": "20000",
        "ZAEHLWERK_ZONE": "Z1",
    },
    "with the least": {"ZAEHLWERK_ALARM_EMAIL": "betrieb@example.de"},
}

Finding = tuple[str, str]


def run(tool: str, *words: str) -> object:
    """What a tool prints as JSON; that it found something is no failure of it."""
    done = subprocess.run([TOOLS / tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise SystemExit(f"{tool} ended with {done.returncode}:\n{done.stdout}{done.stderr}") from None


def lint(file: str, made: dict) -> dict[Finding, str]:
    """By rule and resource: what is no property, no value or no length of AWS's."""
    found = {}
    for fault in run("cfn-lint", "--format", "json", "--regions", "eu-central-1", "--", file):
        path = fault["Location"]["Path"] or []
        resource = path[1] if len(path) > 1 else "all"
        found[(fault["Rule"]["Id"], resource)] = f"{'.'.join(map(str, path[2:]))}: {fault['Message']}"
    return found


def check(file: str) -> dict[Finding, str]:
    """By rule and resource: what is not thought safe."""
    words = ("--framework", "cloudformation", "--output", "json", "--compact", "--quiet", "--skip-download")
    report = run("checkov", "--file", file, *words)
    if report["summary"]["parsing_errors"] or not report["summary"]["passed"]:
        raise SystemExit(f"checkov could not read the template: {report['summary']}")
    return {(fault["check_id"], fault["resource"].split(".", 1)[1]): fault["check_name"] for fault in report["results"]["failed_checks"]}


def audit(evaluated: dict[str, dict]) -> dict[Finding, str]:
    """By kind and role: what of a policy is no action, fits no resource, or lets its holder get more rights."""
    found = {}
    for name, inputs in evaluated.items():
        policies = [policy["policy"] for policy in inputs.get("inlinePolicies", [])]
        if name.startswith("aws:iam/policy:Policy"):
            policies = [inputs["policy"]]
        for policy in policies:
            for fault in parliament.analyze_policy_string(policy).findings:
                found[(fault.issue, name.split(" ")[1])] = str(fault.detail)
    return found


def accepted() -> list[tuple[str, re.Pattern[str]]]:
    """The rows of the page: a rule, and which resources."""
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| .+ \|$", PAGE.read_text(), re.MULTILINE)
    return [(rule, re.compile(pattern.replace(r"\|", "|"))) for rule, pattern in rows]


def main() -> int:
    found: dict[Finding, str] = {}
    key = subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], stdout=subprocess.PIPE, check=True, text=True).stdout
    for stage, settings in STAGES.items():
        evaluated = resources.deployed(key, "production", settings)
        made = template.template(evaluated)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(made, file)
            file.flush()
            counted = {**lint(file.name, made), **check(file.name), **audit(evaluated)}
        print(f"{stage}: {len(evaluated)} resources, {len(counted)} findings")
        found |= counted
    rows = accepted()
    used = collections.Counter(row for row in rows for rule, resource in found if row[0] == rule and row[1].fullmatch(resource))
    new = {
        finding: text for finding, text in found.items() if not any(rule == finding[0] and which.fullmatch(finding[1]) for rule, which in rows)
    }
    for (rule, resource), text in sorted(new.items()):
        print(f"{rule} {resource}: {text}")
    for rule, which in rows:
        if (rule, which) not in used:
            print(f"{PAGE.name} accepts {rule} of {which.pattern}, which nothing finds any more")
    return 1 if new or len(used) < len(rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
