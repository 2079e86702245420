import {
  type CallEvent,
  type CallOptions,
  getEntity,
  type HttpRequest,
  type HttpResponse,
  insertEntity,
  OperationContext,
  perform,
  type TableServiceSettings,
  type Transport,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, jeff } from '../people.ts'
import { serviceOver } from '../service-over.ts'

const SECONDARY = 'https://contoso-secondary.example'
const found = (body: object): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ PartitionKey: 'Smith', RowKey: 'Jeff', ...body }),
})
const status = (code: number): HttpResponse => ({
  status: code,
  headers: {},
  body: `{"odata.error":{"code":"${code === 404 ? 'ResourceNotFound' : 'ServerBusy'}"}}`,
})

/** A moment of virtual time: what happens at each time, in order. */
function virtualTime() {
  let now = 0
  const events: { at: number; wake: () => void }[] = []
  const until = (at: number) =>
    new Promise<void>((resolve) => {
      events.push({ at, wake: resolve })
    })
  return {
    now: () => now,
    until,
    sleep: (delay: number, signal?: AbortSignal) =>
      Promise.race([
        until(now + delay),
        new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
      ]),
    /** Runs until a call has ended. */
    async run<Result>(call: Promise<Result>): Promise<Result> {
      let isOver = false
      const end = () => {
        isOver = true
      }
      call.then(end, end)
      for (let turn = 0; turn < 10_000; turn++) {
        for (let tick = 0; tick < 30; tick++) await Promise.resolve()
        if (isOver) break
        events.sort((one, other) => one.at - other.at)
        const next = events.shift()
        if (next === undefined) throw new Error('Nothing more happens.')
        now = Math.max(now, next.at)
        next.wake()
      }
      return call
    },
  }
}

interface Answer {
  readonly after: number
  readonly response: HttpResponse | Error
}

/** An account with a primary and a secondary, which answer after so many milliseconds. */
function twoPlaces(
  answers: (place: 'primary' | 'secondary', number: number) => Answer,
  settings: TableServiceSettings = {},
) {
  const time = virtualTime()
  const sent = { primary: 0, secondary: 0 }
  const aborted = { primary: 0, secondary: 0 }
  const transport: Transport = async (request, { signal } = {}) => {
    const place = request.origin === SECONDARY ? 'secondary' : 'primary'
    const { after, response } = answers(place, ++sent[place])
    const ended = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        aborted[place]++
        reject(new Error('aborted'))
      })
    })
    await Promise.race([time.until(time.now() + after), ended])
    if (response instanceof Error) throw response
    return response
  }
  const service = serviceOver(transport, {
    endpoint: { ...contoso, secondary: { origin: SECONDARY, basePath: '' } },
    locationMode: 'primaryThenSecondary',
    hedgeAfter: 50,
    now: time.now,
    sleep: time.sleep,
    ...settings,
  } as TableServiceSettings)
  const read = (options?: CallOptions) => time.run(perform(service, getEntity, jeff, options))
  return { time, service, sent, aborted, read }
}

const from = (primary: Answer, secondary: Answer) => (place: 'primary' | 'secondary') =>
  place === 'primary' ? primary : secondary
const first = found({ n: 1 })
const second = found({ n: 2 })

describe('a read with hedgeAfter', () => {
  it('is sent once when the primary responds in time', async () => {
    const { read, sent, time } = twoPlaces(
      from({ after: 49, response: first }, { after: 0, response: second }),
    )
    expect((await read()).raw).toMatchObject({ n: 1 })
    expect([sent, time.now()]).toEqual([{ primary: 1, secondary: 0 }, 49])
  })

  it('uses the secondary when the primary is slow, and ends the slow one', async () => {
    const context = new OperationContext()
    const { read, sent, aborted, time } = twoPlaces(
      from({ after: 1_000, response: first }, { after: 10, response: second }),
    )
    expect((await read({ context })).raw).toMatchObject({ n: 2 })
    expect([sent, time.now()]).toEqual([{ primary: 1, secondary: 1 }, 60])
    expect(aborted).toEqual({ primary: 1, secondary: 0 })
    expect(context.attempts.map(({ location, verdict }) => [location, verdict])).toEqual([
      ['primary', 'not applied'],
      ['secondary', 'succeeded'],
    ])
    expect(context.mayBeStale).toBe(true)
  })

  it('uses the primary when both respond at once, and ends the second read when the primary is faster', async () => {
    const tie = twoPlaces(from({ after: 60, response: first }, { after: 10, response: second }))
    expect((await tie.read()).raw).toMatchObject({ n: 1 })
    const late = twoPlaces(from({ after: 60, response: first }, { after: 500, response: second }))
    expect((await late.read()).raw).toMatchObject({ n: 1 })
    expect([late.aborted, late.time.now()]).toEqual([{ primary: 0, secondary: 1 }, 60])
  })

  it.each([404, 503])('does not use a %i of the secondary, which lags behind', async (code) => {
    const { read, time } = twoPlaces(
      from({ after: 200, response: first }, { after: 10, response: status(code) }),
    )
    expect((await read()).raw).toMatchObject({ n: 1 })
    expect(time.now()).toBe(200)
  })

  it('uses the secondary when the primary fails meanwhile, and believes a 404 of the primary', async () => {
    const broken = twoPlaces(
      from({ after: 60, response: status(500) }, { after: 40, response: second }),
    )
    expect((await broken.read()).raw).toMatchObject({ n: 2 })
    expect(broken.sent).toEqual({ primary: 1, secondary: 1 })
    const missing = twoPlaces(
      from({ after: 60, response: status(404) }, { after: 40, response: second }),
    )
    await expect(missing.read()).rejects.toMatchObject({ status: 404 })
  })

  it('tells what came of both, and counts the one that is not used as no failure', async () => {
    const context = new OperationContext()
    const { read } = twoPlaces(
      from({ after: 200, response: first }, { after: 10, response: status(404) }),
    )
    await read({ context })
    const told = context.attempts.map(({ location, status, verdict }) => [
      location,
      status,
      verdict,
    ])
    expect(told).toEqual([
      ['secondary', 404, 'not applied'],
      ['primary', 200, 'succeeded'],
    ])
    const events: string[] = []
    const onEvent = (event: CallEvent) => {
      const { type, location } = event
      events.push(`${type} ${location}${'error' in event ? ' with an error' : ''}`)
    }
    const slow = twoPlaces(from({ after: 1_000, response: first }, { after: 10, response: second }))
    await slow.read({ context: new OperationContext({ onEvent }) })
    expect(events).toEqual([
      'sending primary',
      'sending secondary',
      'received secondary',
      'completed secondary',
    ])
  })

  it('begins at the secondary when the connection to the primary failed meanwhile', async () => {
    const failure = new TransportError({ message: 'reset', mayHaveApplied: false })
    const { read, sent } = twoPlaces(
      from({ after: 60, response: failure }, { after: 40, response: second }),
    )
    const context = new OperationContext()
    await read({ context })
    expect(context.attempts[0]).toMatchObject({ location: 'primary', error: failure })
    await read()
    expect(sent).toEqual({ primary: 1, secondary: 2 })
  })

  it('begins at the primary after rows that are missing there, although the secondary was asked, too', async () => {
    const { read, sent } = twoPlaces(
      from({ after: 60, response: status(404) }, { after: 500, response: second }),
    )
    for (let count = 0; count < 5; count++) {
      await expect(read()).rejects.toMatchObject({ status: 404 })
    }
    expect(sent).toEqual({ primary: 5, secondary: 5 })
  })

  it('is not sent a second time after the deadline', async () => {
    const { read, sent } = twoPlaces(
      from({ after: 100, response: first }, { after: 1, response: second }),
    )
    await read({ deadline: 50 })
    expect(sent).toEqual({ primary: 1, secondary: 0 })
  })

  it('retries as any other read when both fail', async () => {
    const { read, sent } = twoPlaces((place, number) =>
      number === 1
        ? { after: 60, response: status(503) }
        : { after: 1, response: place === 'primary' ? first : second },
    )
    expect((await read()).raw).toMatchObject({ n: 2 })
    expect(sent).toEqual({ primary: 1, secondary: 2 })
  })

  it('pays for a primary that hangs three times 50 ms, and then begins at the secondary', async () => {
    const { read, sent, time } = twoPlaces(
      from({ after: 1e9, response: first }, { after: 10, response: second }),
    )
    for (let count = 0; count < 20; count++) await read()
    expect(sent).toEqual({ primary: 3, secondary: 20 })
    expect(time.now()).toBe(3 * 60 + 17 * 10)
  })

  it('sends at most ten second reads, and 3 % of the reads', async () => {
    // Every other read is slow, so the primary never counts as failed.
    const { read, sent } = twoPlaces((place, number) =>
      place === 'primary'
        ? { after: number % 2 === 0 ? 100 : 1, response: first }
        : { after: 1, response: second },
    )
    for (let count = 0; count < 500; count++) await read()
    expect(sent.secondary).toBeLessThanOrEqual(10 + 0.03 * 500)
    expect(sent.secondary).toBeGreaterThanOrEqual(10 + 0.03 * 500 - 2)
  })

  it('counts in a budget, which it does not exceed', async () => {
    const answers = from({ after: 100, response: first }, { after: 1, response: second })
    const { read, sent } = twoPlaces(answers)
    expect((await read({ budget: { requests: 1 } })).raw).toMatchObject({ n: 1 })
    expect(sent.secondary).toBe(0)
    expect((await read({ budget: { requests: 2 } })).raw).toMatchObject({ n: 2 })
  })

  it('goes to the primary alone where the call says so, and a write always does', async () => {
    const answers = from({ after: 100, response: first }, { after: 1, response: second })
    const { read, sent, service, time } = twoPlaces(answers)
    expect((await read({ locationMode: 'primaryOnly' })).raw).toMatchObject({ n: 1 })
    await time.run(perform(service, insertEntity, jeff).catch(() => {}))
    expect(sent.secondary).toBe(0)
  })

  it('uses the primary when the credential cannot sign the second read', async () => {
    let signed = 0
    const authorize = (request: HttpRequest) => {
      if (++signed === 2) throw new Error('signed out')
      return request
    }
    const answers = from({ after: 100, response: first }, { after: 1, response: second })
    const { read, sent } = twoPlaces(answers, { credential: { authorize } } as TableServiceSettings)
    expect((await read()).raw).toMatchObject({ n: 1 })
    expect(sent).toEqual({ primary: 1, secondary: 0 })
  })

  it('ends with its signal', async () => {
    const hanging = { after: 1e9, response: first }
    const { read, aborted, time } = twoPlaces(from(hanging, hanging))
    const ending = new AbortController()
    void time.until(300).then(() => ending.abort(new Error('enough')))
    await expect(read({ signal: ending.signal })).rejects.toThrow('aborted')
    expect(aborted).toEqual({ primary: 1, secondary: 1 })
  })

  it('needs a secondary, and an account that reads from it', () => {
    const account = (settings: object) => () =>
      serviceOver(async () => first, settings as TableServiceSettings)
    const endpoint = { ...contoso, secondary: { origin: SECONDARY, basePath: '' } }
    const { secondary: _, ...alone } = contoso
    expect(account({ endpoint: alone, hedgeAfter: 50 })).toThrow(
      /hedgeAfter of an account needs a secondary/,
    )
    expect(account({ endpoint, hedgeAfter: 50 })).toThrow(
      /needs locationMode: 'primaryThenSecondary'/,
    )
    expect(account({ endpoint, hedgeAfter: 0 })).toThrow(/hedgeAfter of an account must be/)
  })
})
