import { printElement, printText } from '../xml/print-xml.ts'
import type {
  CorsRule,
  Logging,
  Metrics,
  Retention,
  ServiceProperties,
} from './service-properties.ts'

/** Prints the properties of a service as XML, in the service's order. */
export function printServiceProperties(properties: ServiceProperties): string {
  return printElement(
    'StorageServiceProperties',
    [
      printLogging(properties.logging),
      printMetrics('HourMetrics', properties.hourMetrics),
      printMetrics('MinuteMetrics', properties.minuteMetrics),
      printElement('Cors', properties.cors.map(printRule).join('')),
    ].join(''),
  )
}

function printLogging(logging: Logging): string {
  return printElement(
    'Logging',
    [
      printText('Version', logging.version),
      printText('Read', logging.read),
      printText('Write', logging.write),
      printText('Delete', logging.delete),
      printRetention(logging.retention),
    ].join(''),
  )
}

function printMetrics(name: string, metrics: Metrics): string {
  const { version, enabled, includeApis, retention } = metrics
  return printElement(
    name,
    [
      printText('Version', version),
      printText('Enabled', enabled),
      includeApis === undefined ? '' : printText('IncludeAPIs', includeApis),
      printRetention(retention),
    ].join(''),
  )
}

function printRetention({ enabled, days }: Retention): string {
  const period = days === undefined ? '' : printText('Days', days)
  return printElement('RetentionPolicy', printText('Enabled', enabled) + period)
}

function printRule(rule: CorsRule): string {
  return printElement(
    'CorsRule',
    [
      printText('AllowedOrigins', rule.allowedOrigins.join(',')),
      printText('AllowedMethods', rule.allowedMethods.join(',')),
      printText('MaxAgeInSeconds', rule.maxAge),
      printText('ExposedHeaders', rule.exposedHeaders.join(',')),
      printText('AllowedHeaders', rule.allowedHeaders.join(',')),
    ].join(''),
  )
}
