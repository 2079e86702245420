import type { AttemptLimits, HttpRequest, HttpResponse, Transport } from '@rowkey/rest'

/** What the transport does with one request: answer it, or fail. */
export type Turn =
  | Partial<HttpResponse>
  | Error
  | ((limits: AttemptLimits) => Promise<HttpResponse>)

/** A Transport that plays a script, for what no real service does on demand. */
export interface ScriptedTransport extends Transport {
  /** What was sent, signed as it was. */
  readonly requests: HttpRequest[]
}

/**
 * Makes a {@link ScriptedTransport}.
 *
 * @param turns - one for each request; the last is for all that follow
 */
export function scriptedTransport(...turns: readonly Turn[]): ScriptedTransport {
  const requests: HttpRequest[] = []
  const send = async (request: HttpRequest, limits: AttemptLimits = {}): Promise<HttpResponse> => {
    const turn = turns[Math.min(requests.length, turns.length - 1)]
    requests.push(request)
    if (turn instanceof Error) throw turn
    if (typeof turn === 'function') return turn(limits)
    return { status: 200, headers: {}, body: '', ...turn }
  }
  return Object.assign(send, { requests })
}
