import type { HttpResponse } from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEVIATIONS } from '../../vectors/azurite-deviations.ts'
import { isWhole, wholeRequest } from './azurite-requests.ts'
import { UNRECORDED_STATE } from './azurite-state.ts'
import {
  headersOf,
  type RecordedExchange,
  type RecordedRequest,
  Replay,
  readRecording,
} from './recording.ts'
import { responseShape } from './response-shape.ts'

const exchanges = readRecording('azurite')

/** Names, with a number where a name occurs twice. */
const ids = exchanges.map(({ name }, at) => {
  const before = exchanges.slice(0, at).filter((one) => one.name === name).length
  return before === 0 ? name : `${name} ${before + 1}`
})

/** Values of responses that later requests contain: ETags and continuation tokens. */
class Given {
  readonly #live = new Map<string, string>()

  note(recorded: RecordedExchange['response'], response: HttpResponse): void {
    for (const [name, text] of Object.entries(headersOf(recorded.headers))) {
      const live = response.headers[name]
      const isGiven = name === 'etag' || name.startsWith('x-ms-continuation-')
      if (isGiven && live !== undefined) this.#live.set(text, live)
    }
  }

  in(request: RecordedRequest): RecordedRequest {
    const headers = headersOf(request.headers)
    const ifMatch = this.#live.get(headers['if-match'] ?? '')
    const path = request.path.replace(/(&Next\w+=)([^&]+)/g, (all, name: string, text: string) => {
      const live = this.#live.get(decodeURIComponent(text))
      return live === undefined ? all : name + encodeURIComponent(live)
    })
    return {
      ...request,
      path,
      headers: ifMatch === undefined ? headers : { ...headers, 'if-match': ifMatch },
    }
  }
}

it('every exchange is replayed, and every deviation belongs to one', () => {
  expect(ids).toHaveLength(358)
  expect([...DEVIATIONS.keys()].filter((id) => !ids.includes(id))).toEqual([])
})

describe.each(['in process', 'over HTTP'])('the recorded responses of Azurite, %s', (way) => {
  const replay = new Replay('devstoreaccount1')
  const given = new Given()

  beforeAll(async () => {
    if (way === 'over HTTP') await replay.listen()
  })

  afterAll(() => replay.close())

  it.each(exchanges.map((one, at) => [ids[at] ?? '', one] as const))('%s', async (id, exchange) => {
    const { response, name } = exchange
    replay.now = Date.parse(headersOf(response.headers).date ?? '') + 123
    for (const request of UNRECORDED_STATE[name]?.() ?? []) {
      expect((await replay.send(request)).status).toBe(201)
    }
    const live = await replay.send(given.in(wholeRequest(exchange)))
    given.note(response, live)
    const ours = responseShape(live)
    const theirs = responseShape(
      isWhole(response.body) ? response : { ...response, body: live.body },
    )
    const deviation = DEVIATIONS.get(id)
    if (deviation === undefined) expect(ours).toEqual(theirs)
    else {
      expect(`${ours.status} ${ours.code}`.trim()).toBe(deviation.response)
      expect(ours, 'the responses agree: remove this deviation').not.toEqual(theirs)
    }
  })
})
