/** The screens, each fetched with its texts when it is needed. */
import { loadTexts } from '@shared/i18n/i18n.ts'
import { coming } from '@shared/ui/coming.tsx'
import { later } from '@/offline/on-demand.ts'

export const StartFailure = coming(async () => {
  const [screen] = await Promise.all([import('./start-failure.tsx'), loadTexts(['errors'])])
  return screen.StartFailure
})

export const LoginPage = coming(async () => (await import('@/features/login/login-page.tsx')).LoginPage)

export const TokenLogin = coming(async () => (await import('@/features/login/token-login.tsx')).TokenLogin)

export const HomeScreen = coming(async () => {
  const [screen] = await Promise.all([import('./home-screen.tsx'), loadTexts(['home', 'jobs'])])
  return screen.HomeScreen
})

export const Introduction = coming(async () => {
  const [page] = await Promise.all([import('@/features/introduction/introduction.tsx'), loadTexts(['introduction'])])
  return page.Introduction
})

export const JobsPage = coming(async () => {
  const [page] = await Promise.all([import('./jobs-page.tsx'), later(), loadTexts(['jobs', 'reading', 'photos'])])
  return page.JobsPage
})

export const PreviewPage = coming(async () => {
  const [page] = await Promise.all([import('./preview-page.tsx'), loadTexts(['jobs'])])
  return page.PreviewPage
})

export const ManagementPage = coming(async () => {
  const [page] = await Promise.all([import('./management-page.tsx'), loadTexts(['sharing'])])
  return page.ManagementPage
})

export const DevicesPage = coming(async () => {
  const [page] = await Promise.all([import('./devices-page.tsx'), later(), loadTexts(['devices'])])
  return page.DevicesPage
})

export const AccessibilityPage = coming(async () => {
  const [page] = await Promise.all([
    import('@/features/accessibility/accessibility-page.tsx'),
    loadTexts(['accessibility']),
  ])
  return page.AccessibilityPage
})

export const NewReadingPage = coming(async () => {
  const [page] = await Promise.all([
    import('./new-reading-page.tsx'),
    later(),
    loadTexts(['unknownReading', 'reading', 'photos']),
  ])
  return page.NewReadingPage
})

export const EvaluationPage = coming(async () => {
  const [page] = await Promise.all([
    import('./evaluation-page.tsx'),
    loadTexts(['evaluation', 'jobs', 'reading', 'photos']),
  ])
  return page.EvaluationPage
})

export const VisitorReading = coming(async () => {
  const [page] = await Promise.all([
    import('@/features/visitor-reading/visitor-reading.tsx'),
    loadTexts(['publicReading', 'reading', 'photos']),
  ])
  return page.VisitorReading
})

export const HelpPage = coming(async () => {
  const [page] = await Promise.all([import('@/features/help/help-page.tsx'), loadTexts(['help'])])
  return page.HelpPage
})

export const NotFound = coming(async () => (await import('./not-found.tsx')).NotFound)

export const RegistrationPage = coming(async () => {
  const [page] = await Promise.all([
    import('@/features/registration/registration-page.tsx'),
    loadTexts(['registration']),
  ])
  return page.RegistrationPage
})

export const ConfirmationPage = coming(async () => {
  const [page] = await Promise.all([
    import('@/features/registration/confirmation-page.tsx'),
    loadTexts(['registration']),
  ])
  return page.ConfirmationPage
})

export const UnsubscribePage = coming(async () => {
  const [page] = await Promise.all([
    import('@/features/registration/unsubscribe-page.tsx'),
    loadTexts(['registration']),
  ])
  return page.UnsubscribePage
})
