import { memoryQueue, worker } from '@rowkey/patterns'
import { expect, it } from 'vitest'
import { office } from '../employees.ts'

const ring: { self?: object } = {}
ring.self = ring

function openJobs(received: unknown[]) {
  const queue = memoryQueue('jobs')
  const jobs = worker<{ mail: unknown }>({
    queue: () => queue,
    deadLetters: () => memoryQueue('dead'),
    handlers: { mail: async (payload) => void received.push(payload) },
  }).on(office().account)
  return { queue, jobs }
}

it.each<readonly [lost: string, payload: unknown]>([
  ['undefined', undefined],
  ['a function at send', { send: () => {} }],
  ['undefined at ids[1]', { ids: [1, undefined] }],
  ['a symbol at a.b[0]', { a: { b: [Symbol('x')] } }],
  ['a bigint at count', { count: 1n }],
  ['NaN at rates[0]', { rates: [Number.NaN] }],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['an invalid Date at at', { at: new Date(Number.NaN) }],
  ['a value of class Set at ids', { ids: new Set([1]) }],
  ['a value of class Promise at receipt', { receipt: Promise.resolve('R-1') }],
  ['a value of class Error at results[0].reason', { results: [{ reason: new TypeError('down') }] }],
  ['bytes at photo', { photo: Uint8Array.of(1) }],
  ['bytes at photo', { photo: Buffer.of(1) }],
  ['an object that contains itself', ring],
])('a payload with %s is rejected before it is sent', async (lost, payload) => {
  const { queue, jobs } = openJobs([])
  await expect(jobs.send('mail', payload)).rejects.toMatchObject({
    code: 'InvalidPatternOption',
    message: expect.stringContaining(`JSON can hold, not ${lost}`),
  })
  expect(await queue.depth()).toMatchObject({ messages: 0 })
})

it('a payload arrives as JSON holds it', async () => {
  const received: unknown[] = []
  const { jobs } = openJobs(received)
  const shared = { id: 1 }
  await jobs.send('mail', { one: shared, other: [shared, null], at: new Date(0), no: undefined })
  await jobs.runOnce()
  expect(received).toEqual([
    { one: { id: 1 }, other: [{ id: 1 }, null], at: '1970-01-01T00:00:00.000Z' },
  ])
})
