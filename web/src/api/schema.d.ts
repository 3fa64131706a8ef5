/** The API's paths and shapes; rewritten by `npm run api-types` from functions/api/openapi.json. */
export interface paths {
  '/api/public/application': {
    get: { responses: { 200: { content: { 'application/json': components['schemas']['PublicApplication'] } }; default: Problem } }
  }
  '/auth/token': {
    post: {
      requestBody: { content: { 'application/json': components['schemas']['TokenRequest'] } }
      responses: { 200: { content: { 'application/json': components['schemas']['TokenResponse'] } }; default: Problem }
    }
  }
  '/auth/logout': {
    post: {
      requestBody: { content: { 'application/json': components['schemas']['LogoutRequest'] } }
      responses: { 204: { content?: never }; default: Problem }
    }
  }
  '/api/pro/account/info': {
    get: { responses: { 200: { content: { 'application/json': components['schemas']['AccountInfo'] } }; default: Problem } }
  }
  '/api/pro/job': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: { 'If-None-Match'?: string } }
      responses: { 200: { content: { 'application/json': components['schemas']['JobPage'] } }; 304: { content?: never }; default: Problem }
    }
  }
  '/api/pro/upload': {
    post: {
      requestBody: { content: { 'application/json': components['schemas']['UploadRequest'] } }
      responses: { 201: { content: { 'application/json': components['schemas']['UploadResponse'] } }; default: Problem }
    }
  }
  '/api/pro/job/{id}/meterRateTask/result': {
    post: {
      parameters: { path: { id: string }; header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': components['schemas']['ResultSubmission'] } }
      responses: { 200: { content: { 'application/json': components['schemas']['Job'] } }; default: Problem }
    }
  }
  '/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/result-images/{imageId}': {
    get: {
      parameters: { path: { jobId: string; taskId: string; imageId: string } }
      responses: { 200: { content: { 'image/jpeg': string } }; default: Problem }
    }
  }
}
type Problem = { content: { 'application/problem+json': components['schemas']['Problem'] } }
export interface components {
  schemas: {
    PublicApplication: {
      applicationId: string
      name: string
      portalUrl: string
      timeZone: string
      config: {
        meterReading: components['schemas']['MeterReadingConfig']
        unknownUserReading: { unknownUserReadingAllowed: boolean }
        legal: { imprint: components['schemas']['LegalLink']; privacy: components['schemas']['LegalLink']; accessibility: components['schemas']['LegalLink'] }
      }
      features: {
        multipleAccountsLoginEnabled: boolean
        preselectJobIfSingleEnabled: boolean
        redirectToJobsScreenOnLoginEnabled: boolean
        evaluationEnabled: boolean
        unknownReadingsAllowed: boolean
        unknownReadingsImageRequired: boolean
        reshareAllowed: boolean
        xlsxExportEnabled: boolean
        emailSharingEnabled: boolean
        emailReminderLinkEnabled: boolean
        helpEnabled: boolean
      }
      jobFeatures: components['schemas']['JobFeatures']
      login: { userNameMinLength: number; passwordMinLength: number; passwordVisible: boolean }
      languages: { name: string; readableName: string }[]
      defaultLanguage: string
      theme: { primaryColor: string; headerColor: string }
      version: string
      translations: Record<string, Record<string, string>>
    }
    LegalLink: { url: string; enabled: boolean }
    MeterReadingConfig: {
      queryPostDecimals: boolean
      maskPostDecimals: boolean
      defaultComments: string[]
      readingDateMaxDaysInPast: number
      readingDateMaxDaysInFuture: number
      validationFeedbackDelay: number
    }
    JobFeatures: {
      reshareAllowed: boolean
      imagesForbidden: boolean
      imageAlwaysRequired: boolean
      hideReadingDateInput: boolean
      unplausibleReadingsCommentRequired: boolean
      unplausibleReadingsImageRequired: boolean
      historicReadingsValidationRequired: boolean
      continuousReadingsValidationRequired: boolean
      durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed: number
      durationSendingReadingValuesBasedOnLatestExecutionIsAllowed: number
      showReadingImagesAllowed: boolean
      showReadingCommentAllowed: boolean
      aiReadingEnabled: boolean
    }
    TokenRequest: { applicationId: string; username?: string; password?: string; token?: string; refreshToken?: string }
    TokenResponse: { token: string; refreshToken: string; username: string | null; expiresIn: number }
    LogoutRequest: { applicationId: string; refreshToken: string }
    AccountInfo: { id: string; name: string; parentName: string | null; parentId: string | null; language: string | null }
    JobPage: { jobs: components['schemas']['Job'][]; nextCursor: string | null }
    MeterType: 'ELECTRIC_METER' | 'HEAT_METER' | 'GAS_METER' | 'WATER_METER' | 'WATER_WARM_METER' | 'GENERIC_METER'
    Job: {
      id: string
      login: string
      done: boolean
      meter: components['schemas']['Meter']
      jobConstraints: { earliestExecution?: string; latestExecution?: string }
      jobInfo?: { meterType?: components['schemas']['MeterType'] }
      jobPermissions: { reShare: boolean }
      config: { features: components['schemas']['JobFeatures']; meterReading: components['schemas']['MeterReadingConfig'] }
      partner?: { identifier?: string; company?: string; firstname?: string; lastname?: string }
      customer?: {
        customerNumber?: string
        company?: string
        firstname?: string
        lastname?: string
        mailingAddress?: { street?: string; houseNumber?: string; zip?: string; city?: string }
      }
      meLoId?: string
      maLoId?: string
      objectKey?: string
    }
    Meter: {
      meterNumber: string
      meterType: components['schemas']['MeterType']
      customMeterType?: string
      maLoId?: string
      meterAddress: {
        street?: string
        houseNumber?: string
        zip?: string
        city?: string
        cityDistrict?: string
        company?: string
        firstname?: string
        lastname?: string
        objectKey?: string
        locationDescription?: string
        hint?: string
      }
      meterRateTasks: components['schemas']['MeterRateTask'][]
    }
    MeterRateTask: {
      taskId: string
      rateName?: string
      obis: string
      unit?: string
      preDecimals?: number
      postDecimals?: number
      targetReadingDate?: string
      readingEvents: { readingDate: string; readingValue: string; reason?: string; otherReason?: string }[]
      readingValueValidation?: { minimumValue?: string; maximumValue?: string; strictValidation: boolean }
      readingResults: components['schemas']['ReadingResult'][]
    }
    LowerReason: 'METER_CHANGE' | 'ROLLOVER'
    ReadingResult: {
      readingDate: string
      readingValue: string
      created: string
      comment?: string
      lowerReason?: components['schemas']['LowerReason']
      readingResultImages: { imageId: string }[]
    }
    UploadRequest: { contentType: 'image/jpeg'; contentLength: number }
    UploadResponse: { uploadId: string; url: string; method: string; headers: Record<string, string>; expiresAt: string }
    ResultSubmission: {
      readingDate: string
      confirmed?: boolean
      results: {
        taskId: string
        readingValue: string
        comment?: string
        lowerReason?: components['schemas']['LowerReason']
        readingImages?: ({ encodedImage: string; mimeType: string } | { uploadId: string })[]
      }[]
    }
    Problem: {
      type: string
      title: string
      status: number
      detail: string
      instance: string
      code: string
      fieldErrors?: components['schemas']['FieldError'][]
    }
    FieldError: { field: string; code?: string; message: string; severity?: 'error' | 'warning' | 'info'; limit?: string }
  }
}
