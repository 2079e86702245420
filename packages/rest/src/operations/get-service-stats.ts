import { checkStorage } from '../endpoint/check-storage.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'
import { getRequest } from '../request/get-request.ts'
import type { Operation } from '../request/operation.ts'
import type { ServiceStatistics } from '../service-properties/service-properties.ts'
import { readServiceStatistics } from '../service-properties/service-properties-xml.ts'
import { XML_READ_HEADERS } from '../xml/read-xml.ts'

/**
 * Reads the replication status of the account's copy in a second region. Only the secondary endpoint
 * serves it, which needs an account with read access to its copy.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/get-table-service-stats
 */
export const getServiceStats: Operation<object, Promise<ServiceStatistics>> = {
  name: 'getServiceStats',
  statuses: [200],
  location: 'secondary',

  toRequest(_, endpoint) {
    checkStorage('getServiceStats', endpoint)
    checkSecondary(endpoint)
    return getRequest(
      endpoint,
      `${endpoint.basePath}/`,
      'restype=service&comp=stats',
      XML_READ_HEADERS,
    )
  },

  fromResponse: ({ body }) => readServiceStatistics(body),
}

function checkSecondary({ secondary, account }: Endpoint): void {
  if (secondary !== undefined) return
  throw restInputError({
    code: 'UnsupportedOperation',
    message: `getServiceStats needs the secondary endpoint of ${account}, which is unknown. Set TableSecondaryEndpoint in the connection string.`,
  })
}
