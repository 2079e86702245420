import type { Answer } from '../answer/answer.ts'
import { xmlAnswer } from '../answer/xml-answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { printElement, printText } from '../xml/print-xml.ts'

/**
 * Get Table Service Stats: `GET /?restype=service&comp=stats`, of the secondary alone. Without a lag
 * both show the same data, so they were in step just now.
 */
export async function getServiceStats(service: Service, call: ServiceCall): Promise<Answer> {
  if (!call.isSecondary) throw new ServiceFault('InvalidQueryParameterValue')
  const synced = service.replication?.lastSyncTime() ?? service.clock.now()
  const time = new Date(synced).toUTCString()
  const replication = printText('Status', 'live') + printText('LastSyncTime', time)
  return xmlAnswer(printElement('StorageServiceStats', printElement('GeoReplication', replication)))
}
