import { printHttpDate } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type ServiceResponse, xmlResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { printDocument } from '../xml/xml.ts'

/**
 * Get Table Service Stats: `GET /?restype=service&comp=stats`, at the secondary only. Without a lag
 * both locations always have the same data.
 */
export async function getServiceStats(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  if (!request.isSecondary) throw new Rejection('InvalidQueryParameterValue')
  const synced = service.replication?.lastSyncTime() ?? service.clock.now()
  const replication = { Status: 'live', LastSyncTime: printHttpDate(synced) }
  return xmlResponse(printDocument('StorageServiceStats', { GeoReplication: replication }))
}
