import { afterEach, expect, test, vi } from 'vitest'
import { putPhoto } from '@shared/photos/put-photo.ts'

afterEach(() => vi.unstubAllGlobals())

/** Puts a photo into a store that answers so; gives what the store was sent. */
async function put(status: number, type?: string): Promise<Request[]> {
  const sent: Request[] = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    sent.push(new Request(input, init))
    return Promise.resolve(new Response(null, { status, headers: type === undefined ? {} : { 'content-type': type } }))
  })
  await putPhoto(`${location.origin}/store`, { 'content-type': 'image/jpeg', 'if-none-match': '*' }, new ArrayBuffer(5))
  return sent
}

test('a photo goes with every header that its permission names', async () => {
  const [request] = await put(200)
  expect(request?.method).toBe('PUT')
  expect(request?.headers.get('content-type')).toBe('image/jpeg')
  expect(request?.headers.get('if-none-match')).toBe('*')
})

// D-PHOTOS-2
test('a photo that is there already has arrived', async () => {
  expect(await put(412)).toHaveLength(1)
})

test('a permission that has run out is worth another attempt', async () => {
  await expect(put(403)).rejects.toMatchObject({ code: 'photo-stuck' })
})

// D-OUTBOX-8
test('a photo that a page was answered to has not arrived', async () => {
  await expect(put(200, 'text/html')).rejects.toMatchObject({ code: 'photo-stuck' })
})
