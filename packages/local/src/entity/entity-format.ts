import type { Flavour } from '@rowkey/rest'
import type { MetadataLevel } from '../request/content-negotiation.ts'

/** The form of the entities in one response. */
export interface EntityFormat {
  /** How much metadata to add. */
  readonly level: MetadataLevel
  /** Origin and base path of every address. */
  readonly base: string
  /** The name of the account, which begins `odata.type`. */
  readonly account: string
  /** The table's name as it was created. */
  readonly table: string
  /** The members to include; all when absent. */
  readonly select?: ReadonlySet<string> | undefined
  /** The `$select` as the client wrote it, which `odata.metadata` repeats. */
  readonly selectText?: string | undefined
  /** The service that responds; Table storage when absent. */
  readonly flavour?: Flavour | undefined
}
