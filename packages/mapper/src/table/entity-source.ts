import type { EntityCodec } from '@rowkey/odata'
import type { QuerySource } from '@rowkey/query'
import {
  type CallOptions,
  checkOptions,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  type TableService,
} from '@rowkey/rest'
import { readPart } from '../codec/read-part.ts'
import { CALL_OPTION_NAMES } from './option-names.ts'

/** The rows of one table, page by page, as a query asks for them. */
export function entitySource<Entity extends object>(
  service: TableService,
  table: string,
  codec: EntityCodec<Entity>,
): QuerySource<Entity, CallOptions> {
  return {
    beginRun: (options) => service.withDeadline(options),

    async fetchPage(query, { continuationToken, projected }, options) {
      checkOptions(options, CALL_OPTION_NAMES, `A query of table ${table}`)
      const from =
        continuationToken === undefined
          ? {}
          : { continuation: parseContinuationToken(continuationToken) }
      const input = { table, ...query, ...from }
      const { entities, continuation } = await perform(service, queryEntities, input, options)
      const items = entities.map((raw) => (projected ? readPart(codec, raw) : codec.read(raw)))
      if (continuation === undefined) return { items }
      return { items, continuationToken: printContinuationToken(continuation) }
    },
  }
}
