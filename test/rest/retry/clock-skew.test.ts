import {
  createTable,
  getEntity,
  perform,
  SasCredential,
  type TableServiceSettings,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { ClockSkew } from '../../../packages/rest/src/retry/clock-skew.ts'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

const HOUR = 3_600_000
const dateOf = (time: number) => ({ date: new Date(time).toUTCString() })
const at = (time: number) => ({ status: 403, headers: dateOf(time), body: '' })
const denied = {
  status: 403,
  headers: dateOf(START + HOUR),
  body: '<m:error><m:code>AuthenticationFailed</m:code><m:message>No.</m:message></m:error>',
}
const ok = { status: 200, body: jeff.body }

describe('ClockSkew', () => {
  it('learns from a date that is more than five minutes off, and from no other', () => {
    const skew = new ClockSkew()
    expect(skew.learn(at(START + 5 * 60_000), START, START)).toBe(false)
    expect(skew.learn({ status: 403, headers: { date: 'soon' }, body: '' }, START, START)).toBe(
      false,
    )
    expect(skew.learn({ status: 403, headers: {}, body: '' }, START, START)).toBe(false)
    expect(skew.correct(START)).toBe(START)
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.correct(START + 7)).toBe(START - HOUR + 7)
    expect(skew.learn(at(START - HOUR), START - HOUR, START)).toBe(false)
  })

  it('goes by the date of the request, whoever corrected the clock since', async () => {
    const skew = new ClockSkew()
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.correct(START)).toBe(START - HOUR)
  })

  it('is corrected for each of several calls under way', async () => {
    const transport = scriptedTransport(denied, denied, denied, ok)
    const service = serviceOver(transport)
    await Promise.all([1, 2, 3].map(() => perform(service, getEntity, jeff)))
    expect(transport.requests).toHaveLength(6)
  })

  it('R-63: is corrected once, and stays so for the calls after', async () => {
    const transport = scriptedTransport(denied, ok)
    const service = serviceOver(transport)
    await perform(service, getEntity, jeff)
    await perform(service, getEntity, jeff)
    expect(transport.requests.map(({ headers }) => headers['x-ms-date'])).toEqual([
      'Fri, 20 Nov 2026 12:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
    ])
  })

  it('R-63: is named by the error when the correction does not help', async () => {
    const transport = scriptedTransport(denied)
    const call = perform(serviceOver(transport), createTable, { table: 'people' })
    await expect(call).rejects.toMatchObject({
      code: 'AuthenticationFailed',
      message: expect.stringContaining('60 minutes behind'),
      attempts: 2,
      mayHaveApplied: false,
    })
    expect(transport.requests).toHaveLength(2)
  })

  it('is not corrected where nothing is dated: a SAS', async () => {
    const transport = scriptedTransport(denied)
    const credential = new SasCredential('sv=2019-02-02&sig=c2VjcmV0')
    const service = { ...serviceOver(transport), credential }
    await expect(perform(service, getEntity, jeff)).rejects.toThrow('behind')
    expect(transport.requests).toHaveLength(1)
  })

  it('is corrected without waiting, without a policy and at no cost', async () => {
    const delays: number[] = []
    const settings: TableServiceSettings = {
      sleep: async (delay) => void delays.push(delay),
      retry: { delayAfter: () => undefined },
      retryBudget: { spend: () => false, earn: () => {} },
    }
    const transport = scriptedTransport(denied, ok)
    await perform(serviceOver(transport, settings), getEntity, jeff)
    expect(delays).toEqual([0])
  })
})
