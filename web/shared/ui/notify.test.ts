import { beforeEach, expect, test } from 'vitest'
import { currentNotifications, dismiss, dismissTopic, notify } from './notify.ts'

const failed = { type: 'error', title: 'Senden fehlgeschlagen', message: 'Bitte später erneut.' } as const

beforeEach(() => {
  for (const { id } of currentNotifications()) dismiss(id)
})

test('the same words again are one message with a count, whatever they are about', () => {
  for (const topic of ['reading/1', 'reading/2', 'reading/3']) notify({ ...failed, topic })
  expect(currentNotifications()).toMatchObject([{ ...failed, topic: 'reading/3', times: 3 }])
})

test('other words on a topic take the place of earlier ones', () => {
  notify({ ...failed, topic: 'reading/1' })
  notify({ type: 'info', title: 'Hinweis' })
  notify({ type: 'success', title: 'Senden erfolgreich', topic: 'reading/1' })
  expect(currentNotifications().map(({ title, times }) => [title, times])).toEqual([
    ['Hinweis', 1],
    ['Senden erfolgreich', 1],
  ])
  dismissTopic('reading/1')
  expect(currentNotifications().map(({ title }) => title)).toEqual(['Hinweis'])
})
