import type { LocalTableService } from '@rowkey/local'
import { type TableService, type Transport, tableService } from '@rowkey/rest'

let local: Promise<LocalTableService> | undefined
let service: TableService | undefined

/**
 * Returns the service of the tables in this process, which all classes share. It is an embedded table
 * service of its own; it is loaded by the first call.
 */
export function inMemoryService(): TableService {
  const transport: Transport = async (request, limits) => {
    local ??= import('@rowkey/local').then(({ localTableService }) => localTableService())
    return (await local).transport(request, limits)
  }
  service ??= tableService({ connectionString: 'UseDevelopmentStorage=true', transport })
  return service
}
