import type { BesideName } from './axes/besides.ts'
import type { ConditionName } from './axes/conditions.ts'
import type { GuaranteeName } from './axes/guarantees.ts'
import type { ModelName } from './axes/models.ts'
import type { ServiceName } from './axes/services.ts'
import type { TroubleName } from './axes/troubles.ts'
import type { WriteName } from './axes/writes.ts'

/** A cell of the table: one value of each axis. */
export interface Meeting {
  readonly model: ModelName
  readonly write: WriteName
  readonly condition: ConditionName
  readonly guarantee: GuaranteeName
  readonly trouble: TroubleName
  readonly beside: BesideName
  readonly service: ServiceName
}

/** A cell in which nothing is special. */
export const ordinary: Meeting = {
  model: 'class',
  write: 'merge',
  condition: 'own ETag',
  guarantee: 'plain',
  trouble: 'none',
  beside: 'no other program',
  service: 'memory',
}
