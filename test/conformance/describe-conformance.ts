import { afterAll, beforeAll, describe, it } from 'vitest'
import { createScenarioTable, type Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'
import type { ServiceClient } from './service-client.ts'

/** A service that scenarios are run on. */
export interface ConformanceHost {
  readonly client: ServiceClient
  /** The beginning of the names of all tables; `conform` when absent. */
  readonly prefix?: string
  close(): Promise<void>
}

/**
 * Makes a test of every scenario.
 *
 * @param start - starts the service, once for all of them
 * @param deviation - why the service does otherwise in a scenario, which is then left out
 */
export function describeConformance(
  start: () => Promise<ConformanceHost>,
  deviation: (scenario: Scenario) => string | undefined = () => undefined,
): void {
  let host: ConformanceHost
  let tables = 0

  beforeAll(async () => {
    host = await start()
  })
  afterAll(() => host.close())

  for (const [subject, scenarios] of SCENARIOS) {
    describe(subject, () => {
      for (const scenario of scenarios) {
        const reason = deviation(scenario)
        const title = reason === undefined ? scenario.title : `${scenario.title} (${reason})`
        it.skipIf(reason !== undefined)(title, async () => {
          tables += 1
          const name = `${host.prefix ?? 'conform'}${tables}`
          await scenario.run(await createScenarioTable(host.client, name))
        })
      }
    })
  }
}
