import { ServiceFault } from '../fault/service-fault.ts'
import { membersOf, textOf } from '../xml/members-of.ts'
import { parseXml } from '../xml/parse-xml.ts'
import type { XmlElement } from '../xml/xml-element.ts'
import { readCorsRules } from './read-cors-rules.ts'
import { readBoolean, readNumber } from './read-values.ts'
import type { Logging, Metrics, Retention, ServiceProperties } from './service-properties.ts'

const MAX_DAYS = 365

/**
 * Reads the settings that a service is to have. What the document leaves out is left as it is; what
 * it gives must be whole.
 *
 * @throws ServiceFault InvalidXmlDocument, as the service says of a wrong value too
 */
export function readServiceProperties(body: string): Partial<ServiceProperties> {
  const root = parseXml(body)
  if (root.name !== 'StorageServiceProperties') throw new ServiceFault('InvalidXmlDocument')
  const { Logging, HourMetrics, MinuteMetrics, Cors } = membersOf(root, [
    'Logging',
    'HourMetrics',
    'MinuteMetrics',
    'Cors',
  ])
  return {
    ...(Logging && { logging: readLogging(Logging) }),
    ...(HourMetrics && { hourMetrics: readMetrics(HourMetrics) }),
    ...(MinuteMetrics && { minuteMetrics: readMetrics(MinuteMetrics) }),
    ...(Cors && { cors: readCorsRules(Cors) }),
  }
}

function readLogging(element: XmlElement): Logging {
  const members = membersOf(element, ['Version', 'Read', 'Write', 'Delete', 'RetentionPolicy'])
  return {
    version: readVersion(members.Version),
    read: readBoolean(members.Read),
    write: readBoolean(members.Write),
    delete: readBoolean(members.Delete),
    retention: readRetention(members.RetentionPolicy),
  }
}

/** What only counts when something is enabled may be there without it, and counts for nothing. */
function readMetrics(element: XmlElement): Metrics {
  const members = membersOf(element, ['Version', 'Enabled', 'IncludeAPIs', 'RetentionPolicy'])
  const enabled = readBoolean(members.Enabled)
  return {
    version: readVersion(members.Version),
    enabled,
    includeApis: enabled ? readBoolean(members.IncludeAPIs) : undefined,
    retention: readRetention(members.RetentionPolicy),
  }
}

function readRetention(element: XmlElement | undefined): Retention {
  if (element === undefined) throw new ServiceFault('InvalidXmlDocument')
  const { Enabled, Days } = membersOf(element, ['Enabled', 'Days'])
  const enabled = readBoolean(Enabled)
  return { enabled, days: enabled ? readNumber(Days, 1, MAX_DAYS) : undefined }
}

function readVersion(element: XmlElement | undefined): string {
  const version = textOf(element).trim()
  if (!/^\d\.\d$/.test(version)) throw new ServiceFault('InvalidXmlDocument')
  return version
}
