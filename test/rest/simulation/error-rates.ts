import { seededRandom } from '@rowkey/local'
import { getEntity, perform, type TableServiceSettings } from '@rowkey/rest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'
import { VirtualTime } from './virtual-time.ts'

const CALLERS = 32
const LATENCY = 20

/** What calls came to while requests failed at some rate. */
export interface LoadResult {
  /** The part of the calls that succeeded, from 0 to 1. */
  readonly success: number
  /** How many requests were sent for each call. */
  readonly amplification: number
  /** How many requests were sent in a second. */
  readonly perSecond: number
}

/** What decides the calls, besides the settings of the client. */
export interface LoadSettings extends TableServiceSettings {
  readonly seed?: number
  /** The status of requests that fail; 429 is throttling. */
  readonly status?: 503 | 429
}

/**
 * Makes calls by 32 callers, in virtual time. Each request takes 20 ms, and fails at some rate.
 *
 * @param rate - how many requests fail, from 0 to 1; or a function of the time since the start
 * @param calls - how many calls are made
 */
export async function callsAtErrorRate(
  rate: number | ((elapsed: number) => number),
  calls: number,
  { seed = 1, status = 503, ...settings }: LoadSettings = {},
): Promise<LoadResult> {
  const time = new VirtualTime()
  const start = time.now()
  const random = seededRandom(seed)
  const rateNow = () => (typeof rate === 'number' ? rate : rate(time.now() - start))
  const transport = scriptedTransport(async () => {
    await time.sleep(LATENCY)
    const isFailing = random() < rateNow()
    return { status: isFailing ? status : 200, headers: {}, body: isFailing ? '' : jeff.body }
  })
  const { now, sleep } = time
  const service = serviceOver(transport, { now, sleep, random, ...settings })
  let left = calls
  let succeeded = 0
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const ok = await perform(service, getEntity, jeff).then(
        () => true,
        () => false,
      )
      if (ok) succeeded++
    }
  }
  await time.run(Promise.all(Array.from({ length: CALLERS }, caller)))
  const { length } = transport.requests
  const seconds = (time.now() - start) / 1_000
  return { success: succeeded / calls, amplification: length / calls, perSecond: length / seconds }
}
