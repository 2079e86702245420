import type { AttemptLimits, HttpRequest, HttpResponse, Transport } from '@rowkey/rest'

/** The reaction to one request: a response, or a failure. */
export type Turn =
  | Partial<HttpResponse>
  | Error
  | ((limits: AttemptLimits) => Promise<HttpResponse>)

/** A Transport that plays a script, for reactions that no real service has on demand. */
export interface ScriptedTransport extends Transport {
  /** The signed requests. */
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
