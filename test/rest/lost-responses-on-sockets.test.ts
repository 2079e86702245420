import { insertEntity, OperationContext, perform, undiciTransport } from '@rowkey/rest'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeTransport } from '../../packages/rest/src/http/node-transport.ts'
import { casesToPlay } from '../support/cases-to-play.ts'
import { exactScenarios } from '../vectors/exact-writes.ts'
import { type LostResponse, lostResponses, type Turn } from '../vectors/lost-responses.ts'
import { prepare, rowOf } from './faulty-service.ts'
import { playWrite, titleOf } from './play-write.ts'
import { type ServiceOnSockets, serviceOnSockets } from './service-on-sockets.ts'

const open: ServiceOnSockets[] = []

afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const opened: typeof serviceOnSockets = async (...given) => {
  const service = await serviceOnSockets(...given)
  open.push(service)
  return service
}

const faultOf = (turn: Turn) => (typeof turn === 'string' ? turn : turn[1])

/** A port cannot refuse one connection and accept the next, and silence takes time. */
const onSockets = ({ turns }: LostResponse): boolean =>
  turns.map(faultOf).every((fault) => fault !== 'refused' && fault !== 'silent after')

const content = lostResponses.filter(onSockets)
const exact = exactScenarios.filter(onSockets)

describe.each([
  ['node:http', nodeTransport],
  ['undici', undiciTransport],
])('R-24: a write whose response is lost on a real socket of %s', (_, transportOf) => {
  it('is tried in every way that a socket can show', () => {
    expect(content.length).toBeGreaterThanOrEqual(150)
    expect(exact.length).toBeGreaterThanOrEqual(10)
  })

  it.each(casesToPlay(content).map((given) => [titleOf(given), given] as const))(
    '%s',
    async (__, given) => {
      const transport = transportOf()
      const { settled, sent, left, stored } = await playWrite(given, { transport }, opened)
      expect(settled).toMatchObject({ outcome: given.outcome })
      expect(left).toEqual([])
      expect(sent).toBe(given.requests ?? given.turns.length)
      expect(await stored()).toBe(given.stored)
      if ('error' in settled) {
        expect(settled.error.mayHaveApplied).toBe(given.mayHaveApplied ?? false)
      }
    },
  )

  it.each(casesToPlay(exact).map((given) => [`exactly: ${titleOf(given)}`, given] as const))(
    '%s',
    async (__, given) => {
      const transport = transportOf()
      const played = await playWrite(given, { transport, exactWrites: true }, opened)
      expect(played.settled).toMatchObject({ outcome: given.outcome })
      expect(played.transactions()).toBe(given.applied)
      expect(await played.stored()).toBe(given.stored)
    },
  )
})

describe('over real sockets', () => {
  it('stores an insert once whose response does not come in time', async () => {
    const faulty = await opened(['silent after'], (rival) => prepare(rival, false))
    const context = new OperationContext()
    await perform(faulty.service, insertEntity, rowOf(2), { timeout: 300, context })
    expect(context.attempts[0]).toMatchObject({
      verdict: 'may have applied',
      error: { code: 'AttemptTimeout' },
    })
    expect(await faulty.stored()).toBe(2)
  })

  it('says that a write may have been applied when it is aborted during the wait', async () => {
    const faulty = await opened(['silent after'], (rival) => prepare(rival, false))
    const controller = new AbortController()
    const onEvent = () => void setImmediate(() => controller.abort('enough'))
    const context = new OperationContext({ onEvent })
    const { signal } = controller
    const write = perform(faulty.service, insertEntity, rowOf(2), { signal, context })
    await expect(write).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(context.attempts).toHaveLength(1)
  })
})
