import { beforeAll, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Notifications, Toast } from '@shared/ui/notifications.tsx'
import { notify } from '@shared/ui/notify.ts'

beforeAll(async () => {
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await Toast.load()
})

/** A screen with a question. */
function Screen({ isAsking }: { isAsking: boolean }) {
  return (
    <>
      <Notifications />
      <Dialog open={isAsking} title="Löschen?" onClose={() => undefined} actions={null}>
        {null}
      </Dialog>
    </>
  )
}

test('what is said while a dialog closes comes in a region that was there before', async () => {
  const { rerender } = await render(<Screen isAsking={false} />)
  const region = document.querySelector('section[aria-live]')
  await rerender(<Screen isAsking />)
  notify({ type: 'info', title: 'Steht im Dialog' })
  await expect.poll(() => document.querySelector('dialog')?.textContent).toContain('Steht im Dialog')
  expect(region?.textContent).toBe('')
  notify({ type: 'success', title: 'Freigabe gelöscht' })
  await rerender(<Screen isAsking={false} />)
  await expect.poll(() => region?.textContent).toContain('Freigabe gelöscht')
  expect(document.querySelector('section[aria-live]')).toBe(region)
})
