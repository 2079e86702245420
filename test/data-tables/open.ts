import { TableClient, TableServiceClient } from '@rowkey/data-tables'
import { localTableService } from '@rowkey/local'
import type { HttpRequest } from '@rowkey/rest'

/** A table of an embedded service, in process. */
export async function openPeople() {
  const local = localTableService()
  const sent: HttpRequest[] = []
  const options = {
    transport: (request: HttpRequest, limits?: Parameters<typeof local.transport>[1]) => {
      sent.push(request)
      return local.transport(request, limits)
    },
  }
  const connectionString = local.connectionString()
  const people = TableClient.fromConnectionString(connectionString, 'people', options)
  await people.createTable()
  sent.length = 0
  const service = TableServiceClient.fromConnectionString(connectionString, options)
  return { local, people, service, sent, options }
}
