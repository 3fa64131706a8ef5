"""The evaluated resources of a stage as a CloudFormation template, for tools that read one (D-PLATFORM-24).

The provider's properties have CloudFormation's names in another case, with the exceptions below. What is translated wrongly is no property of
CloudFormation's, and cfn-lint says so.
"""

import json

# Of each type what CloudFormation calls it, the property that all others are in, and other names: of a key at any depth, or below a certain one
# (`.name` below none), as a path from where it stands, whose `[0]` takes the only item of a list and `[]` makes a list of it; none:
# CloudFormation has nothing like it.
TYPES: dict[str, tuple[str, str | None, dict[str, str | None]]] = {
    "acm/certificate:Certificate": ("CertificateManager::Certificate", None, {}),
    "apigatewayv2/api:Api": ("ApiGatewayV2::Api", None, {}),
    "apigatewayv2/integration:Integration": ("ApiGatewayV2::Integration", None, {}),
    "apigatewayv2/route:Route": ("ApiGatewayV2::Route", None, {}),
    "apigatewayv2/stage:Stage": ("ApiGatewayV2::Stage", None, {".name": "StageName"}),
    "backup/plan:Plan": (
        "Backup::BackupPlan",
        "BackupPlan",
        {
            ".name": "BackupPlanName",
            "rules": "BackupPlanRule",
            "completionWindow": "CompletionWindowMinutes",
            "startWindow": "StartWindowMinutes",
            "deleteAfter": "DeleteAfterDays",
            "schedule": "ScheduleExpression",
            "targetVaultName": "TargetBackupVault",
            "destinationVaultArn": "DestinationBackupVaultArn",
        },
    ),
    "backup/vault:Vault": ("Backup::BackupVault", None, {".name": "BackupVaultName", "kmsKeyArn": "EncryptionKeyArn", "region": None}),
    "cloudfront/cachePolicy:CachePolicy": (
        "CloudFront::CachePolicy",
        "CachePolicyConfig",
        {
            "defaultTtl": "DefaultTTL",
            "maxTtl": "MaxTTL",
            "minTtl": "MinTTL",
            "cookies.items": "Cookies",
            "headers.items": "Headers",
            "queryStrings.items": "QueryStrings",
            "cookiesConfig.cookies": "",
            "headersConfig.headers": "",
            "queryStringsConfig.queryStrings": "",
        },
    ),
    "cloudfront/connectionGroup:ConnectionGroup": ("CloudFront::ConnectionGroup", None, {}),
    "cloudfront/distribution:Distribution": (
        "CloudFront::Distribution",
        "DistributionConfig",
        {
            "cloudfrontDefaultCertificate": "CloudFrontDefaultCertificate",
            "errorCachingMinTtl": "ErrorCachingMinTTL",
            "functionArn": "FunctionARN",
            "httpPort": "HTTPPort",
            "httpsPort": "HTTPSPort",
            "isIpv6Enabled": "IPV6Enabled",
            "orderedCacheBehaviors": "CacheBehaviors",
            "originId": "Id",
            "originSslProtocols": "OriginSSLProtocols",
            "tags": None,
            "waitForDeployment": None,
            "webAclId": "WebACLId",
        },
    ),
    "cloudfront/function:Function": (
        "CloudFront::Function",
        None,
        {
            "code": "FunctionCode",
            "comment": None,
            "keyValueStoreAssociations": None,
            "publish": "AutoPublish",
            "runtime": None,
        },
    ),
    "cloudfront/keyValueStore:KeyValueStore": ("CloudFront::KeyValueStore", None, {}),
    "cloudfront/responseHeadersPolicy:ResponseHeadersPolicy": ("CloudFront::ResponseHeadersPolicy", "ResponseHeadersPolicyConfig", {}),
    "cloudtrail/trail:Trail": (
        "CloudTrail::Trail",
        None,
        {
            ".name": "TrailName",
            "kmsKeyId": "KMSKeyId",
            "enableLogging": "IsLogging",
            "startsWiths": "StartsWith",
            "notStartsWiths": "NotStartsWith",
            "notEquals": "NotEquals",
        },
    ),
    "cloudwatch/compositeAlarm:CompositeAlarm": ("CloudWatch::CompositeAlarm", None, {"okActions": "OKActions"}),
    "cloudwatch/logGroup:LogGroup": ("Logs::LogGroup", None, {".name": "LogGroupName"}),
    "cloudwatch/logMetricFilter:LogMetricFilter": (
        "Logs::MetricFilter",
        None,
        {
            "metricTransformation": "MetricTransformations[]",
            "metricTransformation.name": "MetricName",
            "namespace": "MetricNamespace",
            "pattern": "FilterPattern",
            "value": "MetricValue",
        },
    ),
    "cloudwatch/metricAlarm:MetricAlarm": (
        "CloudWatch::Alarm",
        None,
        {
            ".name": "AlarmName",
            "metric": "MetricStat",
            "metric.dimensions": "Metric.Dimensions",
            "metric.metricName": "Metric.MetricName",
            "metric.namespace": "Metric.Namespace",
            "metricQueries": "Metrics",
            "okActions": "OKActions",
        },
    ),
    "cognito/userPool:UserPool": (
        "Cognito::UserPool",
        None,
        {
            ".name": "UserPoolName",
            "fromEmailAddress": "From",
            "passwordPolicy": "Policies.PasswordPolicy",
            "smsMessage": "SMSMessage",
            "softwareTokenMfaConfiguration": None,
        },
    ),
    "cognito/userPoolClient:UserPoolClient": (
        "Cognito::UserPoolClient",
        None,
        {
            ".name": "ClientName",
            "allowedOauthFlows": "AllowedOAuthFlows",
            "allowedOauthFlowsUserPoolClient": "AllowedOAuthFlowsUserPoolClient",
            "allowedOauthScopes": "AllowedOAuthScopes",
            "callbackUrls": "CallbackURLs",
            "logoutUrls": "LogoutURLs",
        },
    ),
    "dynamodb/table:Table": (
        "DynamoDB::Table",
        None,
        {
            ".name": "TableName",
            "attributes": "AttributeDefinitions",
            "attributes.name": "AttributeName",
            "attributes.type": "AttributeType",
            "globalSecondaryIndexes.name": "IndexName",
            "hashKey": None,
            "kmsKeyArn": "KMSMasterKeyId",
            "pointInTimeRecovery": "PointInTimeRecoverySpecification",
            "pointInTimeRecovery.enabled": "PointInTimeRecoveryEnabled",
            "projectionType": "Projection.ProjectionType",
            "rangeKey": None,
            "serverSideEncryption": "SSESpecification",
            "serverSideEncryption.enabled": "SSEEnabled",
            "streamEnabled": None,
            "streamViewType": "StreamSpecification.StreamViewType",
            "ttl": "TimeToLiveSpecification",
        },
    ),
    "iam/policy:Policy": ("IAM::ManagedPolicy", None, {".name": "ManagedPolicyName", "policy": "PolicyDocument"}),
    "iam/role:Role": (
        "IAM::Role",
        None,
        {
            ".name": "RoleName",
            "assumeRolePolicy": "AssumeRolePolicyDocument",
            "inlinePolicies": "Policies",
            "inlinePolicies.name": "PolicyName",
            "policy": "PolicyDocument",
        },
    ),
    "kms/alias:Alias": ("KMS::Alias", None, {".name": "AliasName", "region": None}),
    "kms/key:Key": ("KMS::Key", None, {"deletionWindowInDays": "PendingWindowInDays", "policy": "KeyPolicy", "region": None}),
    "lambda/alias:Alias": ("Lambda::Alias", None, {}),
    "lambda/eventSourceMapping:EventSourceMapping": ("Lambda::EventSourceMapping", None, {}),
    "lambda/function:Function": (
        "Lambda::Function",
        None,
        {
            ".name": "FunctionName",
            "publish": None,
            "s3Bucket": "Code.S3Bucket",
            "s3Key": "Code.S3Key",
        },
    ),
    "lambda/functionEventInvokeConfig:FunctionEventInvokeConfig": ("Lambda::EventInvokeConfig", None, {}),
    "lambda/permission:Permission": ("Lambda::Permission", None, {"function": "FunctionName", "qualifier": None}),
    "route53/healthCheck:HealthCheck": (
        "Route53::HealthCheck",
        "HealthCheckConfig",
        {
            "childHealthThreshold": "HealthThreshold",
            "childHealthchecks": "ChildHealthChecks",
            "enableSni": "EnableSNI",
            "fqdn": "FullyQualifiedDomainName",
            "tags": None,
        },
    ),
    "route53/record:Record": ("Route53::RecordSet", None, {"aliases": None, "records": "ResourceRecords", "ttl": "TTL", "zoneId": "HostedZoneId"}),
    "s3/bucket:Bucket": ("S3::Bucket", None, {"bucket": "BucketName", "forceDestroy": None}),
    "s3/bucketPolicy:BucketPolicy": ("S3::BucketPolicy", None, {"policy": "PolicyDocument"}),
    "scheduler/schedule:Schedule": ("Scheduler::Schedule", None, {}),
    "sesv2/configurationSet:ConfigurationSet": ("SES::ConfigurationSet", None, {"configurationSetName": "Name"}),
    "sesv2/configurationSetEventDestination:ConfigurationSetEventDestination": (
        "SES::ConfigurationSetEventDestination",
        None,
        {"eventDestinationName": "EventDestination.Name", "topicArn": "TopicARN"},
    ),
    "sesv2/emailIdentity:EmailIdentity": ("SES::EmailIdentity", None, {"configurationSetName": "ConfigurationSetAttributes.ConfigurationSetName"}),
    "sns/topic:Topic": ("SNS::Topic", None, {}),
    "sns/topicPolicy:TopicPolicy": ("SNS::TopicPolicy", None, {"arn": "Topics[]", "policy": "PolicyDocument"}),
    "sns/topicSubscription:TopicSubscription": ("SNS::Subscription", None, {"topic": "TopicArn"}),
    "sqs/queue:Queue": ("SQS::Queue", None, {"messageRetentionSeconds": "MessageRetentionPeriod", "visibilityTimeoutSeconds": "VisibilityTimeout"}),
    "sqs/queuePolicy:QueuePolicy": ("SQS::QueuePolicy", None, {"policy": "PolicyDocument", "queueUrl": "Queues[]"}),
    "wafv2/webAcl:WebAcl": ("WAFv2::WebACL", None, 
        {"cloudwatchMetricsEnabled": "CloudWatchMetricsEnabled", "ip": "IP", "notStatement.statements": "Statement[0]"},
    ),
}

# What is a part of another resource at CloudFormation: the property that names the other one, where it is there, and other names.
PARTS: dict[str, tuple[str, str, dict[str, str | None]]] = {
    "backup/vaultLockConfiguration:VaultLockConfiguration": ("backupVaultName", "LockConfiguration", {"region": None}),
    "s3/bucketCorsConfiguration:BucketCorsConfiguration": ("bucket", "CorsConfiguration", {"maxAgeSeconds": "MaxAge"}),
    "s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": (
        "bucket",
        "LifecycleConfiguration",
        {"expiration": "", "days": "ExpirationInDays", "filter": ""},
    ),
    "s3/bucketObjectLockConfiguration:BucketObjectLockConfiguration": ("bucket", "ObjectLockConfiguration", {}),
    "s3/bucketPublicAccessBlock:BucketPublicAccessBlock": ("bucket", "PublicAccessBlockConfiguration", {}),
    "s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": (
        "bucket",
        "BucketEncryption",
        {
            "applyServerSideEncryptionByDefault": "ServerSideEncryptionByDefault",
            "kmsMasterKeyId": "KMSMasterKeyID",
            "rules": "ServerSideEncryptionConfiguration",
            "sseAlgorithm": "SSEAlgorithm",
        },
    ),
    "s3/bucketVersioning:BucketVersioning": ("bucket", "VersioningConfiguration", {"versioningConfiguration": ""}),
    "sesv2/emailIdentityMailFromAttributes:EmailIdentityMailFromAttributes": ("emailIdentity", "MailFromAttributes", {}),
}

# What CloudFormation has no type for, or no more of than the provider's own check says.
LEFT_OUT = {
    "acm/certificateValidation:CertificateValidation",  # waits
    "backup/selection:Selection",  # of resources that are named by their ARNs
    "budgets/budget:Budget",
    "cloudfront/multitenantDistribution:MultitenantDistribution",  # has the portal's distribution's settings (own-names.test.ts)
    "cloudwatch/dashboard:Dashboard",  # a text
    "cognito/managedLoginBranding:ManagedLoginBranding",
    "cognito/userPoolDomain:UserPoolDomain",
    "s3/bucketObjectv2:BucketObjectv2",  # content
    "ssm/parameter:Parameter",  # CloudFormation makes none that is secret
}

# Where a name is that the provider makes up.
MADE_UP = {
    "Backup::BackupPlan": "BackupPlanName",
    "Backup::BackupVault": "BackupVaultName",
    "CloudFront::CachePolicy": "Name",
    "CloudFront::ResponseHeadersPolicy": "Name",
}

# Keys below these are no names of properties.
VERBATIM = {"assumeRolePolicy", "variables"}
# Texts at the provider, documents at CloudFormation.
DOCUMENTS = {"policy", "redrivePolicy"}
# Names and values at the provider, a list of both at CloudFormation, which calls the name so.
PAIRS = {"dimensions": "Name", "tags": "Key"}


def pascal(key: str) -> str:
    return key[:1].upper() + key[1:]


def put(properties: dict, path: str, value: object) -> None:
    """At a path of keys; at an empty one, the value's own keys."""
    *folders, name = path.split(".")
    for folder in folders:
        properties = properties.setdefault(folder, {})
    if name.endswith("[]"):
        name, value = name[:-2], [value]
    elif name.endswith("[0]"):
        name, (value,) = name[:-3], value
    properties.update({name: value} if name else value)


def converted(value: object, names: dict[str, str | None], below: str = "") -> object:
    """A value with CloudFormation's keys."""
    if isinstance(value, list):
        return [converted(item, names, below) for item in value]
    if not isinstance(value, dict):
        return value
    properties: dict = {}
    for key, inner in value.items():
        path = names.get(f"{below}.{key}", names.get(key, pascal(key)))
        if path is None:
            continue
        if key in DOCUMENTS and isinstance(inner, str):
            inner = json.loads(inner)
        elif key in PAIRS:
            inner = [{PAIRS[key]: name, "Value": text} for name, text in inner.items()]
        elif key not in VERBATIM:
            inner = converted(inner, names, key)
        put(properties, path, inner)
    return properties


def shape(kind: str, inputs: dict, properties: dict) -> None:
    """What is more than another name."""
    match kind:
        case "ApiGatewayV2::Stage":
            properties["RouteSettings"] = {settings.pop("RouteKey"): settings for settings in properties["RouteSettings"]}
        case "CloudFront::Function":
            associations = [{"KeyValueStoreARN": arn} for arn in inputs["keyValueStoreAssociations"]]
            properties["FunctionConfig"] = {"Comment": "", "Runtime": inputs["runtime"], "KeyValueStoreAssociations": associations}
        case "CloudTrail::Trail":
            properties.setdefault("IsLogging", True)
        case "Cognito::UserPoolClient":
            # The stand-in of the provider has no ids of Cognito's form.
            properties["UserPoolId"] = "eu-central-1_AbCdEfGhI"
        case "DynamoDB::Table":
            for made, given in [(properties, inputs), *zip(properties["GlobalSecondaryIndexes"], inputs["globalSecondaryIndexes"], strict=True)]:
                keys = {"HASH": given["hashKey"], "RANGE": given["rangeKey"]}
                made["KeySchema"] = [{"AttributeName": name, "KeyType": kind} for kind, name in keys.items()]
            if "KMSMasterKeyId" in properties.get("SSESpecification", {}):
                properties["SSESpecification"]["SSEType"] = "KMS"
        case "Logs::MetricFilter":
            for dimension in properties["MetricTransformations"][0].get("Dimensions", []):
                dimension["Key"] = dimension.pop("Name")
        case "Route53::RecordSet":
            if inputs["type"] == "TXT":
                properties["ResourceRecords"] = [json.dumps(text) for text in inputs["records"]]
            for alias in inputs.get("aliases", []):
                # CloudFront's own zone, the same for all.
                properties["AliasTarget"] = {"DNSName": alias["name"], "HostedZoneId": "Z2FDTNDATAQYW2", "EvaluateTargetHealth": False}


def template(resources: dict[str, dict]) -> dict:
    """The template of resources, which are their inputs by type and name."""
    made: dict[str, dict] = {}
    owners: dict[str, dict] = {}
    parts = []
    for (kind, name), inputs in ((resource.removeprefix("aws:").split(" "), inputs) for resource, inputs in resources.items()):
        if kind in PARTS:
            parts.append((PARTS[kind], dict(inputs)))
        elif kind in TYPES:
            of_aws, around, names = TYPES[kind]
            properties = converted(inputs, names)
            if of_aws in MADE_UP:
                properties.setdefault(MADE_UP[of_aws], name)
            if around is not None:
                properties = {around: properties}
            shape(of_aws, inputs, properties)
            made["".join(filter(str.isalnum, f"{of_aws}{name}"))] = {"Type": f"AWS::{of_aws}", "Properties": properties}
            for owner in (name, inputs.get("bucket"), inputs.get("emailIdentity")):
                owners.setdefault(str(owner).lower(), properties)
        elif kind not in LEFT_OUT and f"aws:{kind} {name}" in resources:
            raise SystemExit(f"scripts/template.py does not know aws:{kind}.")
    for (owner, place, names), inputs in parts:
        of = owners[inputs.pop(owner).lower()]
        of[place] = converted(inputs, names)
    return {"Resources": made}
