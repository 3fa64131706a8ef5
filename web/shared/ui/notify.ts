import { useSyncExternalStore } from 'react'

/** A message to the reader (L3). */
export interface Notification {
  id: number
  type: 'info' | 'warning' | 'error' | 'success'
  title: string
  message?: string
  /** What it is about: a later message on the same topic takes its place. */
  topic?: string
}

let notifications: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a message until it is closed or 10 s have passed. */
export function notify(notification: Omit<Notification, 'id'>): void {
  lastId += 1
  const others = notifications.filter(({ topic }) => topic === undefined || topic !== notification.topic)
  set([...others, { ...notification, id: lastId }])
}

/** Takes a message away. */
export const dismiss = (id: number): void => set(notifications.filter((notification) => notification.id !== id))

/** The messages that are to be seen, oldest first. */
export const useNotifications = (): readonly Notification[] => useSyncExternalStore(subscribe, () => notifications)

function set(next: readonly Notification[]): void {
  notifications = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
