import type { Scenario } from './scenario.ts'
import { batchScenarios } from './scenarios/batches.ts'
import { entityScenarios } from './scenarios/entities.ts'
import { queryScenarios } from './scenarios/queries.ts'
import { serviceScenarios } from './scenarios/service.ts'
import { tableScenarios } from './scenarios/tables.ts'

/** The one list that every service is held to, by what the scenarios are about. */
export const SCENARIOS: readonly (readonly [string, readonly Scenario[]])[] = [
  ['tables', tableScenarios],
  ['entities', entityScenarios],
  ['queries', queryScenarios],
  ['batches', batchScenarios],
  ['the service', serviceScenarios],
]
