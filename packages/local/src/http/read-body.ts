import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FaultCode } from '../fault/fault-code.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { MAX_BODY_SIZE } from './check-body-size.ts'
import type { MemoryShare } from './memory-budget.ts'

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
export async function readBody(message: IncomingMessage, share: MemoryShare): Promise<string> {
  // Most requests have none, and the end of nothing need not be waited for.
  if (!hasBody(message)) return ''
  const body = new ArrivingBody(share)
  // Events cost a fraction of what an iterator does.
  await new Promise<void>((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      body.add(chunk)
      if (body.size <= MAX_DISCARDED) return
      resolve()
      message.destroy()
    })
    message.once('end', resolve)
    message.once('error', reject)
    message.once('close', () => reject(message.errored))
  })
  return body.text()
}

/** A body as far as it has come. */
class ArrivingBody {
  readonly #share: MemoryShare
  #chunks: Buffer[] = []
  #size = 0
  #refusal: FaultCode | undefined

  constructor(share: MemoryShare) {
    this.#share = share
  }

  /** Its bytes so far, those that were not kept included. */
  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > MAX_BODY_SIZE) this.#refuse('RequestBodyTooLarge')
    else if (this.#refusal === undefined && !this.#share.take(chunk.length)) {
      this.#refuse('ServerBusy')
    }
    if (this.#refusal === undefined) this.#chunks.push(chunk)
  }

  /** The text of all that has come; throws when it was refused or is none. */
  text(): string {
    if (this.#refusal !== undefined) throw new ServiceFault(this.#refusal)
    const [first, ...more] = this.#chunks
    const bytes = first === undefined || more.length > 0 ? Buffer.concat(this.#chunks) : first
    if (isUtf8(bytes)) return bytes.toString('utf8')
    throw new ServiceFault('InvalidInput', { text: 'The request body is not UTF-8.' })
  }

  #refuse(code: FaultCode): void {
    this.#refusal = code
    this.#chunks = []
    this.#share.release()
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}
