"""Deploys every Lambda to an emulator that we did not write, sends a request through each route, and runs each worker once; with `--arm64` the
functions as they are built for a deployment, on an emulated processor.

The functions, their routes and the environment that each may see come from infra/routes.json and infra/workers.json; DynamoDB and S3 are those of `local
ephemeral`, with the demo tenants in them.
"""

import concurrent.futures
import datetime
import functools
import io
import json
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile

import boto3

import resources
from stack import BINARIES, ROOT, Stack, read_lines

KEY_PARAMETER = "/zaehlwerk/smoke/signing-key"
CLIENT_SECRET_PARAMETER = "/zaehlwerk/smoke/desk-client-secret"
PSEUDONYM_KEY_PARAMETER = "/zaehlwerk/smoke/pseudonym-key"
# What the deployment names beside what `local ephemeral` has.
NAMES = {
    "JWT_PRIVATE_KEY_PARAMETER": KEY_PARAMETER,
    "PSEUDONYM_KEY_PARAMETER": PSEUDONYM_KEY_PARAMETER,
    "DESK_CLIENT_SECRET_PARAMETER": CLIENT_SECRET_PARAMETER,
    "CRM_PARAMETER_PREFIX": "/zaehlwerk/smoke/crm/",
    "DESK_LOGIN_PARAMETER_PREFIX": "/zaehlwerk/smoke/login/",
    "PORTAL_HOSTS": "localhost",
    "MAIL_CONFIGURATION_SET": "smoke",
}
PHOTO = ROOT / "demo/birkenfurt/photos/wasser.jpg"
PACKAGES = "smoke-programs"
# Starts a function that is built for Lambda's arm64 processors on this machine's.
EMULATED = """#!/bin/sh
exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$(dirname "$0")/function"
"""
ARM64 = "--arm64" in sys.argv
# Functions that start take turns in waiting for processor, disk and the emulator.
AT_A_TIME = 4


def zipped(programs: dict[str, bytes]) -> bytes:
    """A deployment package."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, program in programs.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o755 << 16
            archive.writestr(entry, program)
    return package.getvalue()


@functools.cache
def common_package(stack: Stack) -> dict[str, str]:
    """All functions as one program, which goes by the function's name."""
    return put_package(stack, "functions", {"bootstrap": (BINARIES / "examples/functions").read_bytes()})


def own_package(stack: Stack, name: str) -> dict[str, str]:
    """A function as it is deployed (`infra/build.ts`)."""
    program = (ROOT / "target/lambda" / name / "bootstrap").read_bytes()
    return put_package(stack, name, {"bootstrap": EMULATED.encode(), "function": program})


def put_package(stack: Stack, name: str, programs: dict[str, bytes]) -> dict[str, str]:
    package = {"S3Bucket": PACKAGES, "S3Key": f"{name}.zip"}
    connect(stack, "s3").put_object(Bucket=package["S3Bucket"], Key=package["S3Key"], Body=zipped(programs))
    return package


def each(work, items) -> list:
    """What a function returns for each of these, some at a time."""
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(work, items))


@functools.cache
def connect(stack: Stack, service: str):
    """A client of the emulator, which threads may share."""
    given = stack.ready["environment"]
    session = boto3.Session(given["AWS_ACCESS_KEY_ID"], given["AWS_SECRET_ACCESS_KEY"], region_name=given["AWS_REGION"])
    return session.client(service, endpoint_url=stack.ready["s3Url"])


def create_function(stack: Stack, name: str, rows: list[dict]) -> str:
    """Creates the function that these rows of the route table or of the worker table ask for; returns its ARN."""
    given = stack.ready["environment"]
    values = {**given, **NAMES}
    here = ("AWS_ENDPOINT_URL_", "DESK_ISSUER_STAND_IN")
    endpoints = {variable: value for variable, value in given.items() if variable.startswith(here)}
    variables = {variable: values[variable] for row in rows for variable in row["environment"]}
    return connect(stack, "lambda").create_function(
        FunctionName=name,
        Runtime="provided.al2023",
        Handler="bootstrap",
        Role="arn:aws:iam::000000000000:role/smoke",
        Code=own_package(stack, name) if ARM64 else common_package(stack),
        MemorySize=max(row["memory"] for row in rows),
        Timeout=max(row["timeout"] for row in rows),
        Environment={"Variables": {**endpoints, **variables}},
    )["FunctionArn"]


def deploy(stack: Stack, routes: list[dict]) -> str:
    """Creates the packages, parameters, functions and HTTP API; returns the API's id."""
    given = stack.ready["environment"]
    secrets = {
        KEY_PARAMETER: given["JWT_PRIVATE_KEY"],
        PSEUDONYM_KEY_PARAMETER: given["PSEUDONYM_KEY"],
        CLIENT_SECRET_PARAMETER: given["DESK_CLIENT_SECRET"],
    }
    here = {"LocationConstraint": given["AWS_REGION"]}
    connect(stack, "s3").create_bucket(Bucket=PACKAGES, CreateBucketConfiguration=here)
    if not ARM64:
        # Before the first functions ask for it at the same time.
        common_package(stack)
    for name, value in secrets.items():
        connect(stack, "ssm").put_parameter(Name=name, Value=value, Type="SecureString")

    gateway = connect(stack, "apigatewayv2")
    api = gateway.create_api(Name="smoke", ProtocolType="HTTP")["ApiId"]
    connect(stack, "lambda")

    def integrate(name: str) -> str:
        function = create_function(stack, name, [route for route in routes if route["function"] == name])
        integration = gateway.create_integration(
            ApiId=api, IntegrationType="AWS_PROXY", IntegrationUri=function, PayloadFormatVersion="2.0"
        )
        return integration["IntegrationId"]

    names = list(dict.fromkeys(route["function"] for route in routes))
    integrations = dict(zip(names, each(integrate, names), strict=True))
    for route in routes:
        gateway.create_route(ApiId=api, RouteKey=route["routeKey"], Target=f"integrations/{integrations[route['function']]}")
    gateway.create_stage(ApiId=api, StageName="$default", AutoDeploy=True)
    return api


class Answer:
    """What came back."""

    def __init__(self, status: int, headers, body: bytes):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


class Smoke:
    """Sends the requests, notes which operations answered, and keeps what was wrong."""

    def __init__(self, gateway: str, api: str):
        self.gateway, self.api = gateway, api
        self.token: str | None = None
        self.reached: set[str] = set()
        self.passed, self.failed = 0, 0
        self.counting = threading.Lock()

    def send(self, operation: str, method: str, path: str, body=None, headers=None) -> Answer:
        request = urllib.request.Request(f"{self.gateway}{path}", method=method)
        request.add_header("Host", f"{self.api}.execute-api.localhost")
        # As CloudFront does, because the gateway's own host name is no tenant's.
        request.add_header("X-Forwarded-Host", "localhost")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        started = time.monotonic()
        answer = fetch(request)
        print(f"{method:<6} {path[:92]:<92} {answer.status} {1000 * (time.monotonic() - started):6.0f} ms  {operation}")
        self.reached.add(operation)
        return answer

    def check(self, what: str, fine: bool, answer: Answer) -> None:
        with self.counting:
            self.passed += bool(fine)
            self.failed += not fine
        if not fine:
            print(f"FAILED: {what}: {answer.status} {answer.body[:500]!r}")

    def problem(self, operation: str, method: str, path: str, status: int, code: str, headers=None) -> None:
        answer = self.send(operation, method, path, {} if method == "POST" else None, headers)
        is_problem = answer.headers.get("content-type") == "application/problem+json"
        self.check(f"{operation} answers {code}", is_problem and (answer.status, answer.json()["code"]) == (status, code), answer)


class Stay(urllib.request.HTTPRedirectHandler):
    """Where an answer leads is an answer, too."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Stay)


def fetch(request: urllib.request.Request) -> Answer:
    try:
        with OPENER.open(request, timeout=60) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read())


def walk(smoke: Smoke, routes: list[dict], desk: str) -> None:
    """Every function starts and answers: what needs a login says so, and the others answer for things that do not exist."""
    document = json.loads((ROOT / "functions/api/openapi.json").read_text())
    secured = {call["operationId"] for calls in document["paths"].values() for call in calls.values() if call.get("security")}

    def knock(route: dict) -> None:
        operation, method = route["operation"], route["method"]
        path = route["path"].replace("{applicationId}", "birkenfurt").replace("{", "").replace("}", "")
        if operation in secured and "/desk/" in path:
            smoke.problem(operation, method, path, 401, "session-missing", {"X-Desk": "1", "Origin": desk})
        elif operation in secured:
            smoke.problem(operation, method, path, 401, "token-missing")
        else:
            answer = smoke.send(operation, method, path, body={} if method == "POST" else None)
            smoke.check(f"{operation} answers", answer.status < 500, answer)

    each(knock, [route for route in routes if route["path"] is not None])


def journey(smoke: Smoke, letter: dict) -> None:
    """A person's whole visit, each step through its own function."""
    answer = smoke.send("application_get", "GET", "/api/public/application")
    smoke.check("the application is the demo's", answer.status == 200 and answer.json()["applicationId"] == "birkenfurt", answer)
    answer = smoke.send("application_head", "HEAD", "/api/public/application")
    smoke.check("HEAD has no body", answer.status == 200 and answer.body == b"", answer)
    answer = smoke.send("application_logo", "GET", "/api/public/application/logo.png")
    smoke.check("the logo is a PNG", answer.status == 200 and answer.body.startswith(b"\x89PNG"), answer)
    answer = smoke.send("application_icon", "GET", "/api/public/application/icon/180")
    smoke.check("the icon is a PNG", answer.status == 200 and answer.body.startswith(b"\x89PNG"), answer)
    answer = smoke.send("application_manifest", "GET", "/api/public/application/manifest/manifest.json")
    smoke.check("the manifest has icons", answer.status == 200 and bool(answer.json()["icons"]), answer)
    content(smoke)
    visit(smoke)
    smoke.problem("fallback", "GET", "/api/nothing", 404, "not-found")
    smoke.problem("fallback", "DELETE", "/auth/token", 405, "method-not-allowed")

    login = {"applicationId": "birkenfurt", "username": letter["username"], "password": letter["password"]}
    answer = smoke.send("auth_token", "POST", "/auth/token", login)
    smoke.check("the letter's password logs in", answer.status == 200, answer)
    session = answer.json()
    smoke.token = session["token"]
    answer = smoke.send("account_info", "GET", "/api/pro/account/info")
    smoke.check("the account is the letter's", answer.status == 200 and answer.json()["name"] == letter["name"], answer)
    answer = smoke.send("job_list", "GET", "/api/pro/job")
    smoke.check("there are jobs", answer.status == 200 and len(answer.json()["jobs"]) > 0, answer)
    job = next(job for job in answer.json()["jobs"] if job["id"] == "10417-strom")

    upload = send_photo(smoke, "upload_create", "/api/pro/upload")

    first, second = job["meter"]["meterRateTasks"]
    path = f"/api/pro/job/{job['id']}/meter-rate-tasks/{first['taskId']}/photo-reading"
    answer = smoke.send("photo_reading_create", "POST", path, {"uploadId": upload})
    smoke.check("another meter's photo proposes nothing", (answer.status, answer.json()) == (200, {"proposal": None}), answer)
    reading = {
        "readingDate": today(),
        "confirmed": True,
        "results": [
            {"taskId": first["taskId"], "readingValue": raised(first), "readingImages": [{"uploadId": upload}]},
            {"taskId": second["taskId"], "readingValue": raised(second)},
        ],
    }
    path = f"/api/pro/job/{job['id']}/meterRateTask/result"
    answer = smoke.send("result_create", "POST", path, reading, {"Idempotency-Key": "smoke"})
    smoke.check("the reading is taken", answer.status == 200 and answer.json()["done"], answer)
    result = answer.json()["meter"]["meterRateTasks"][0]["readingResults"][-1]
    smoke.check("its digits are those sent", result["readingValue"] == raised(first), answer)
    image = result["readingResultImages"][0]["imageId"]
    answer = smoke.send("result_image_get", "GET", f"/api/pro/job/{job['id']}/meter-rate-tasks/{first['taskId']}/result-images/{image}")
    smoke.check("the photo is a JPEG", answer.status == 200 and answer.body.startswith(b"\xff\xd8"), answer)
    communicate(smoke)

    smoke.token = None
    end = {"applicationId": "birkenfurt", "refreshToken": session["refreshToken"]}
    answer = smoke.send("auth_logout", "POST", "/auth/logout", end)
    smoke.check("logged out", answer.status == 204, answer)
    answer = smoke.send("auth_token", "POST", "/auth/token", end)
    smoke.check("the session is over", answer.status == 401 and answer.json()["code"] == "refresh-invalid", answer)


def communicate(smoke: Smoke) -> None:
    """Registers an address for receipts, as far as its owner need not confirm it."""
    answer = smoke.send("crm_registration_info", "GET", "/api/pro/account/crm-registration-info")
    smoke.check("nothing is registered", answer.status == 200 and not answer.json()["registered"], answer)
    path = f"/api/public/communication/{answer.json()['selfServiceToken']}"
    answer = smoke.send("communication_register", "POST", path, {"email": "anna.sommer@example.org", "privacyAccepted": True})
    smoke.check("the address is to be confirmed", answer.status == 202, answer)
    answer = smoke.send("communication_get", "GET", path)
    smoke.check("it waits for that", answer.status == 200 and answer.json()["state"] == "pending", answer)
    smoke.problem("reading_receipts", "POST", "/api/pro/job/reading-receipts", 409, "registration-missing")


def work(stack: Stack, smoke: Smoke, workers: list[dict]) -> None:
    """One run of each worker: by the clock, or with a queue's batch that has nothing in it."""

    def run(worker: dict) -> None:
        create_function(stack, worker["name"], [worker])
        event = {"Records": []} if "queue" in worker["trigger"] else {}
        started = time.monotonic()
        answer = connect(stack, "lambda").invoke(FunctionName=worker["name"], Payload=json.dumps(event).encode())
        body = answer["Payload"].read()
        failed = answer.get("FunctionError")
        print(f"worker {worker['name']:<91} {answer['StatusCode']} {1000 * (time.monotonic() - started):6.0f} ms")
        wanted = {"batchItemFailures": []} if "queue" in worker["trigger"] else None
        fine = failed is None and json.loads(body or b"null") == wanted
        smoke.check(f"{worker['name']} runs", fine, Answer(answer["StatusCode"], {}, body))

    each(run, workers)


def content(smoke: Smoke) -> None:
    """What the tenant wrote for its readers."""
    answer = smoke.send("instructions_get", "GET", "/api/public/meterReadingHelp/birkenfurt")
    smoke.check("there are instructions", answer.status == 200 and bool(answer.json()["instructions"]), answer)
    answer = smoke.send("help_languages", "GET", "/api/public/help/birkenfurt")
    smoke.check("there is help", answer.status == 200, answer)
    answer = smoke.send("help_get", "GET", f"/api/public/help/birkenfurt/{answer.json()['languages'][0]}")
    smoke.check("the help is Markdown", answer.headers["content-type"] == "text/markdown; charset=utf-8" and b"#" in answer.body, answer)
    answer = smoke.send("contact_get", "GET", "/api/public/contact/birkenfurt")
    smoke.check("there is a contact", answer.status == 200 and bool(answer.json()["contactInformationItems"]), answer)


def visit(smoke: Smoke) -> None:
    """A visitor's reading, without an account."""
    answer = smoke.send("visitor_config_get", "GET", "/api/public/unknown-readings/config/birkenfurt")
    smoke.check("there are kinds of meters", answer.status == 200 and bool(answer.json()["meters"]), answer)
    answer = smoke.send("auth_token_visitor", "POST", "/auth/token-unknown-readings")
    smoke.check("a visitor is let in", answer.status == 200, answer)
    smoke.token = answer.json()["token"]
    upload = send_photo(smoke, "visitor_upload_create", "/api/unknown-readings/upload")
    reading = {
        "meterType": "WATER_METER",
        "subType": "WATER_METER_MAIN",
        "meterNumber": "8SMK0012345678",
        "readingValues": [{"obis": "8-0:1.0.0", "rateName": "Verbrauch", "value": "123.456", "readingImages": [{"uploadId": upload}]}],
        "readingDate": today(),
        "readingReason": "ANNUAL_READING",
        "contact": {
            "firstname": "Eva", "lastname": "Rauch", "street": "Am Markt", "houseNumber": "1", "zip": "01234", "city": "Birkenfurt"
        },
    }
    answer = smoke.send("visitor_reading_create", "POST", "/api/unknown-readings/results", reading)
    smoke.check("the visitor's reading is taken", answer.status == 201 and bool(answer.json()["id"]), answer)
    reading["email"] = "eva.rauch@example.org"
    answer = smoke.send("visitor_receipt_create", "POST", "/api/pro/unknown-readings/receipts", reading)
    smoke.check("its receipt is on its way", answer.status == 202, answer)
    smoke.token = None


def send_photo(smoke: Smoke, operation: str, path: str) -> str:
    """Sends a photo ahead of its reading; returns the upload's id."""
    photo = PHOTO.read_bytes()
    answer = smoke.send(operation, "POST", path, {"contentType": "image/jpeg", "contentLength": len(photo)})
    smoke.check("a photo may be sent", answer.status == 201, answer)
    target = answer.json()
    put = fetch(urllib.request.Request(target["url"], data=photo, method=target["method"], headers=target["headers"]))
    smoke.check("S3 takes the photo", put.status == 200, put)
    return target["uploadId"]


def today() -> str:
    """The date in UTC, not in the machine's time zone: where the demo's meters are it is no earlier."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def raised(task: dict) -> str:
    """The earlier reading with a larger last digit of its integer part."""
    whole, _, decimals = task["readingEvents"][-1]["readingValue"].partition(".")
    return f"{int(whole) + 1:0{len(whole)}d}.{decimals}"


def main() -> int:
    routes = json.loads((ROOT / "infra/routes.json").read_text())
    with Stack() as stack:
        started = time.monotonic()
        api = deploy(stack, routes)
        print(f"{len({route['function'] for route in routes})} functions deployed in {time.monotonic() - started:.1f} s")
        letters = {letter["username"]: letter for letter in read_lines(stack.tenant("birkenfurt") / "letters.jsonl")}
        smoke = Smoke(stack.ready["s3Url"], api)
        walk(smoke, routes, stack.ready["environment"]["DESK_ORIGIN"])
        journey(smoke, letters["anna.sommer"])
        same, other = resources.local(stack), resources.wanted(resources.deployed(stack.ready["environment"]["JWT_PRIVATE_KEY"]))
        for what, value in other.items():
            smoke.check(f"{what} of the table or bucket as deployed: {value}", same[what] == value, Answer(0, {}, str(same[what]).encode()))
        work(stack, smoke, json.loads((ROOT / "infra/workers.json").read_text()))
    for operation in sorted({route["operation"] for route in routes} - smoke.reached):
        smoke.failed += 1
        print(f"FAILED: no request was sent to {operation}")
    print(f"smoke: {smoke.passed} checks passed, {smoke.failed} failed, {len(smoke.reached)} of {len(routes)} routes answered")
    return 1 if smoke.failed else 0


if __name__ == "__main__":
    sys.exit(main())
