/** Who the desk's members are: a user pool of our own, and what the desk is to it. Tenants may name an issuer of their own beside it. */
import { senders } from './email.ts'
import { deskHost, isProduction, mailDomains } from './stage.ts'

const account = aws.getCallerIdentityOutput().accountId

const INVITATION = {
  emailSubject: 'Ihr Zugang zum Arbeitsplatz Zählerstände / Your access to the meter reading desk',
  emailMessage:
    'Benutzername / user name: {username}<br>Vorläufiges Passwort / temporary password: {####}<br><br>' +
    'Das Passwort gilt sieben Tage und wird bei der ersten Anmeldung ersetzt. ' +
    'The password is good for seven days and is replaced at the first login.',
  smsMessage: '{username} {####}',
}

function create(host: string, sender: $util.Input<string>, domain: string) {
  const pool = new sst.aws.CognitoUserPool('Staff', {
    usernames: ['email'],
    mfa: 'on',
    softwareToken: true,
    // A name that is free in the whole region.
    domain: { prefix: $interpolate`${$app.name}-${$app.stage}-${account}` },
    transform: {
      userPool: (args, options) => {
        args.adminCreateUserConfig = { allowAdminCreateUserOnly: true, inviteMessageTemplate: INVITATION }
        args.accountRecoverySetting = { recoveryMechanisms: [{ name: 'verified_email', priority: 1 }] }
        args.passwordPolicy = { minimumLength: 12, passwordHistorySize: 0, temporaryPasswordValidityDays: 7 }
        // Cognito's own sender takes some fifty mails a day.
        args.emailConfiguration = {
          emailSendingAccount: 'DEVELOPER',
          sourceArn: sender,
          fromEmailAddress: `noreply@${domain}`,
        }
        args.deletionProtection = isProduction ? 'ACTIVE' : 'INACTIVE'
        args.userPoolTier = 'ESSENTIALS'
        options.protect = isProduction
      },
      domain: (args) => {
        args.managedLoginVersion = 2
      },
    },
  })
  const client = pool.addClient('StaffDesk', {
    callbackUrls: [`https://${host}/desk/callback/staff`],
    transform: {
      client: {
        logoutUrls: [`https://${host}/`],
        allowedOauthFlows: ['code'],
        allowedOauthScopes: ['openid', 'email', 'profile'],
        generateSecret: true,
        preventUserExistenceErrors: 'ENABLED',
        enableTokenRevocation: true,
        // Without a word Cognito allows browsers to send passwords themselves; this one is the least there can be, and no refresh token is kept.
        explicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
        idTokenValidity: 15,
        accessTokenValidity: 15,
        refreshTokenValidity: 60,
        tokenValidityUnits: { idToken: 'minutes', accessToken: 'minutes', refreshToken: 'minutes' },
      },
    },
  })
  // The second version of the login page shows none without a style.
  new aws.cognito.ManagedLoginBranding('StaffLogin', {
    userPoolId: pool.id,
    clientId: client.id,
    useCognitoProvidedValues: true,
  })
  return {
    origin: `https://${host}`,
    issuer: $interpolate`https://cognito-idp.${aws.getRegionOutput().region}.amazonaws.com/${pool.id}`,
    client: client.id,
    pool: pool.id,
    poolArn: pool.arn,
    secret: new aws.ssm.Parameter('DeskClientSecret', {
      name: `/${$app.name}/${$app.stage}/desk-client-secret`,
      description: "Proves to the staff's user pool that the desk asks",
      type: 'SecureString',
      value: client.secret,
    }),
  }
}

const [sender, domain] = [senders[0], mailDomains[0]]

/** The desk's own identity provider; none: there is no desk. */
export const staff =
  deskHost === undefined || sender === undefined || domain === undefined ? undefined : create(deskHost, sender, domain)
