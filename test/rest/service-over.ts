import {
  SharedKeyCredential,
  type TableService,
  type TableServiceSettings,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { contoso } from './people.ts'

/** The moment that {@link serviceOver} starts at. */
export const START: number = Date.UTC(2026, 10, 20, 12)

/** A service whose clock stands still, whose ids are `id-1`, `id-2`, … and which waits no time. */
export function serviceOver(transport: Transport, settings?: TableServiceSettings): TableService {
  let ids = 0
  return tableService({
    endpoint: contoso,
    credential: new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' }),
    transport,
    now: () => START,
    random: () => 0.5,
    sleep: async () => {},
    newId: () => `id-${++ids}`,
    ...settings,
  })
}
