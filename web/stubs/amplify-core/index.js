// The names that modules of Amplify UI read while they load; nothing that the portal uses calls them.
export const AiAction = {}
export const AmplifyErrorCode = {}
export const AuthAction = {}
export const Category = {}
export const GeoAction = {}
export const Hub = {}
export const InAppMessagingAction = {}
export const StorageAction = {}
export const setCustomUserAgent = undefined
