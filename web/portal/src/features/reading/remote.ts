/**
 * Readings from outside: a shell around the portal, a browser extension or a window of an allowed origin fills in values and photos
 * by OBIS code (L7). Nothing is sent by that. docs/remote-readings.md has the contract.
 */
import { useEffect, useEffectEvent } from 'react'
import { plainObis } from '@shared/rules/obis.ts'
import type { Digits, Entry } from '@/components/counter/entry.ts'
import { useApplication } from '@/data/application.ts'

const REMOTE_RESULT = 'remote-result-received'
/** More is no reading. */
const MOST_RESULTS = 20
/** Characters of one photo in base64; a camera's photo has a quarter of it. */
const LONGEST_PHOTO = 20_000_000

interface RemoteResult {
  /** As codes are compared. */
  readonly obis: string
  /** With a point, digit for digit. */
  readonly value: string | undefined
  readonly photos: readonly Blob[]
}

/** A reading from outside. */
export interface RemoteReading {
  /** Absent when it is for whichever meter is open. */
  readonly meterNumber: string | undefined
  readonly results: readonly RemoteResult[]
}

/** Calls back with every reading from outside, as far as it can be understood. */
export function useRemoteReading(onReading: (reading: RemoteReading) => void): void {
  const { remoteReadings } = useApplication()
  const receive = useEffectEvent((detail: unknown) => {
    const reading = remoteReading(detail)
    if (reading) onReading(reading)
  })
  const receiveMessage = useEffectEvent(({ origin, data }: MessageEvent<unknown>) => {
    const isAllowed = origin === window.location.origin || remoteReadings.allowedOrigins.includes(origin)
    if (isAllowed && isRecord(data) && data['type'] === REMOTE_RESULT) receive(data['detail'])
  })
  useEffect(() => {
    const onEvent = (event: Event) => event instanceof CustomEvent && receive(event.detail)
    const onMessage = (event: MessageEvent<unknown>) => receiveMessage(event)
    window.addEventListener(REMOTE_RESULT, onEvent)
    window.addEventListener('message', onMessage)
    return () => {
      window.removeEventListener(REMOTE_RESULT, onEvent)
      window.removeEventListener('message', onMessage)
    }
  }, [])
}

/** What a message says; undefined when it is no reading. */
export function remoteReading(detail: unknown): RemoteReading | undefined {
  if (!isRecord(detail) || !Array.isArray(detail['results'])) return undefined
  const { meterNumber } = detail
  const results = detail['results'].slice(0, MOST_RESULTS).flatMap(remoteResult)
  return results.length > 0
    ? { meterNumber: typeof meterNumber === 'string' ? meterNumber : undefined, results }
    : undefined
}

function remoteResult(result: unknown): RemoteResult[] {
  if (!isRecord(result) || typeof result['obis'] !== 'string') return []
  const images: unknown[] = Array.isArray(result['readingImages']) ? result['readingImages'] : []
  return [
    { obis: plainObis(result['obis'].trim()), value: decimal(result['readingValue']), photos: images.flatMap(photo) },
  ]
}

function decimal(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim().replace(',', '.')
  return /^\d+(\.\d+)?$/.test(text) ? text : undefined
}

function photo(image: unknown): Blob[] {
  const encoded = isRecord(image) ? image['encodedImage'] : undefined
  if (typeof encoded !== 'string' || encoded.length > LONGEST_PHOTO) return []
  try {
    return [new Blob([Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))], { type: 'image/jpeg' })]
  } catch {
    return []
  }
}

/** The value as the field has it; what stands behind the digits asked for is cut. Undefined when it has too many before the point. */
export function entryOf(value: string, digits: Digits): Entry | undefined {
  const [whole = '', fraction = ''] = value.split('.')
  const pre = whole.length > digits.pre ? whole.replace(/^0+(?=\d)/, '') : whole
  const post = fraction.slice(0, digits.post)
  return pre.length > digits.pre ? undefined : { pre, post, part: post ? 'post' : 'pre' }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
