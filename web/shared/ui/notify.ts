import { useSyncExternalStore } from 'react'

/** A message to the reader (L3). */
export interface Notification {
  id: number
  type: 'info' | 'warning' | 'error' | 'success'
  title: string
  message?: string
  /** What it is about: a later message on the same topic takes its place. */
  topic?: string
  /** How often the same was said and is to be seen once. */
  times: number
  /** When it was said last, in milliseconds since 1970. */
  at: number
}

let notifications: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a message until it is closed or 10 s have passed. The same words again are one message with a count. */
export function notify(notification: Omit<Notification, 'id' | 'times' | 'at'>): void {
  lastId += 1
  const { type, title, message, topic } = notification
  const same = notifications.find((old) => old.type === type && old.title === title && old.message === message)
  const others = notifications.filter((old) => old !== same && (topic === undefined || old.topic !== topic))
  set([...others, { ...notification, id: lastId, times: (same?.times ?? 0) + 1, at: Date.now() }])
}

/** Takes a message away. */
export const dismiss = (id: number): void => set(notifications.filter((notification) => notification.id !== id))

/** Takes away what was said about a topic. */
export const dismissTopic = (topic: string): void => set(notifications.filter((old) => old.topic !== topic))

/** Takes all messages away. */
export const dismissAll = (): void => set([])

/** The messages that are to be seen, oldest first. */
export const useNotifications = (): readonly Notification[] => useSyncExternalStore(subscribe, currentNotifications)

/** The same, outside of a component. */
export const currentNotifications = (): readonly Notification[] => notifications

function set(next: readonly Notification[]): void {
  notifications = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
