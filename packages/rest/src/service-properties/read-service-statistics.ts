import { notExpected, readXmlAnswer } from '../xml/read-xml-answer.ts'
import type { ServiceStatistics } from './service-properties.ts'

/**
 * The statistics in the answer to Get Table Service Stats.
 *
 * @param body - the answer's body
 * @throws {@link DecodeError} when it is something else
 */
export async function readServiceStatistics(body: string): Promise<ServiceStatistics> {
  const root = await readXmlAnswer('getServiceStats', body, 'StorageServiceStats')
  const replication = root.child('GeoReplication')
  const status = replication?.child('Status')?.text
  if (!status) throw notExpected('getServiceStats', 'no status of the replication')
  const text = replication?.child('LastSyncTime')?.text
  if (!text) return { status }
  const lastSyncTime = new Date(text)
  if (!Number.isNaN(lastSyncTime.getTime())) return { status, lastSyncTime }
  throw notExpected('getServiceStats', 'a LastSyncTime that is no date')
}
