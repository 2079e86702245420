import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FaultCode } from '../fault/fault-code.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { BodyShare } from './body-budget.ts'
import { MAX_BODY_SIZE } from './check-body-size.ts'

/** A client that is refused may finish what it is sending, up to so many bytes. */
const MAX_DISCARDED = 16 * MAX_BODY_SIZE

/**
 * The whole body as text.
 *
 * One that is refused is not kept, but is read to its end, for a client that is still sending
 * would not see the answer; a client that never comes to an end is cut off.
 *
 * @param share - what the listener may hold of it
 * @throws ServiceFault RequestBodyTooLarge, ServerBusy when the listener holds too much already, or
 * InvalidInput when it is not UTF-8
 * @throws the stream's error when the client goes away
 */
export async function readBody(message: IncomingMessage, share: BodyShare): Promise<string> {
  // Most requests have none, and the end of nothing need not be waited for.
  if (!hasBody(message)) return ''
  const chunks: Buffer[] = []
  let size = 0
  let refusal: FaultCode | undefined
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_DISCARDED) break
    if (size > MAX_BODY_SIZE) refusal = 'RequestBodyTooLarge'
    else if (refusal === undefined && !share.take(chunk.length)) refusal = 'ServerBusy'
    if (refusal === undefined) chunks.push(chunk)
    else drop(chunks, share)
  }
  if (refusal !== undefined) throw new ServiceFault(refusal)
  return decodeText(chunks)
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

function drop(chunks: Buffer[], share: BodyShare): void {
  chunks.length = 0
  share.release()
}

function decodeText(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new ServiceFault('InvalidInput', { text: 'The request body is not UTF-8.' })
}
