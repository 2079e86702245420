import { type DateTimeValue, findDateTime } from '@rowkey/odata'
import type { XmlChildren, XmlElement } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import { malformedXml, membersOf, printDocument, readDocument, textOf } from '../xml/xml.ts'

/** A stored access policy of a table. Signatures refer to it by its id. */
export interface SignedIdentifier {
  /** 1 to 64 characters, which signatures name as `si`. */
  readonly id: string
  /** UTC. Absent when the signature sets it. */
  readonly start: DateTimeValue | undefined
  /** UTC. Absent when the signature sets it. */
  readonly expiry: DateTimeValue | undefined
  /** Letters of `raud`. */
  readonly permissions: string | undefined
}

const FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?Z)?$/

/** Parses a start or an expiry, either a day or a time in UTC; `undefined` for anything else. */
export function parsePolicyTime(text: string): DateTimeValue | undefined {
  return FORM.test(text) ? findDateTime(text) : undefined
}

/** Prints a start or an expiry as the service does, always with seven digits. */
export function printPolicyTime(time: DateTimeValue): string {
  const ticks = String(time.ticksPastMs).padStart(4, '0')
  return time.toISOString().replace('Z', `${ticks}Z`)
}

const LETTERS = /^(?=.)r?a?u?d?$/

/** Tells whether a text is valid as the permissions of a table: letters of `raud` in that order. */
export function isTablePermissions(text: string): boolean {
  return LETTERS.test(text)
}

/** Stored policies of one table. */
const MAX_POLICIES = 5
/** Characters in the id of a policy. */
const MAX_ID_LENGTH = 64

/**
 * Reads the policies for a table. An empty body contains none.
 *
 * @throws Rejection InvalidXmlDocument, or InvalidXmlNodeValue for an invalid value
 */
export async function readSignedIdentifiers(body: string): Promise<readonly SignedIdentifier[]> {
  if (body === '') return []
  const root = await readDocument(body)
  const isList = root.name === 'SignedIdentifiers' && root.text.trim() === ''
  const areIdentifiers = root.children.every(({ name }) => name === 'SignedIdentifier')
  if (!isList || !areIdentifiers || root.children.length > MAX_POLICIES) throw malformedXml()
  const policies = root.children.map(readIdentifier)
  if (new Set(policies.map(({ id }) => id)).size < policies.length) throw malformedXml()
  return policies
}

function readIdentifier(element: XmlElement): SignedIdentifier {
  const { Id, AccessPolicy } = membersOf(element, ['Id', 'AccessPolicy'])
  const id = textOf(Id)
  if (id === '' || id.length > MAX_ID_LENGTH) throw wrongValue()
  if (AccessPolicy === undefined) {
    return { id, start: undefined, expiry: undefined, permissions: undefined }
  }
  const { Start, Expiry, Permission } = membersOf(AccessPolicy, ['Start', 'Expiry', 'Permission'])
  const permissions = optionalText(Permission)
  if (permissions !== undefined && !isTablePermissions(permissions)) throw wrongValue()
  return { id, start: readTime(Start), expiry: readTime(Expiry), permissions }
}

function readTime(element: XmlElement | undefined): DateTimeValue | undefined {
  const text = optionalText(element)
  if (text === undefined) return undefined
  const time = parsePolicyTime(text)
  if (time === undefined) throw wrongValue()
  return time
}

/** Some clients write an empty element for an absent value. */
function optionalText(element: XmlElement | undefined): string | undefined {
  const text = element === undefined ? '' : textOf(element).trim()
  return text === '' ? undefined : text
}

function wrongValue(): Rejection {
  return new Rejection('InvalidXmlNodeValue')
}

/** Prints the policies of a table as an XML document. A policy without fields has no `AccessPolicy`. */
export function printSignedIdentifiers(policies: readonly SignedIdentifier[]): string {
  return printDocument('SignedIdentifiers', { SignedIdentifier: policies.map(toIdentifier) })
}

function toIdentifier({ id, start, expiry, permissions }: SignedIdentifier): XmlChildren {
  const isEmpty = start === undefined && expiry === undefined && permissions === undefined
  const policy = {
    Start: start && printPolicyTime(start),
    Expiry: expiry && printPolicyTime(expiry),
    Permission: permissions,
  }
  return { Id: id, AccessPolicy: isEmpty ? undefined : policy }
}
