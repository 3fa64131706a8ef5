/** Why there is no picture: the reader or a rule refused it, or there is no camera that could give one (L8). */
export type CameraFault = 'denied' | 'missing'

/** The camera on the back, else any. Throws what [`cameraFault`] explains. */
export async function openCamera(): Promise<MediaStream> {
  // Absent where the page did not come over a secure connection.
  if (!('mediaDevices' in navigator)) throw new DOMException('no camera without a secure connection', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    audio: false,
  })
}

/** Gives the camera back, and with it its light. */
export function closeCamera(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

export const cameraFault = (error: unknown): CameraFault =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'SecurityError')
    ? 'denied'
    : 'missing'
