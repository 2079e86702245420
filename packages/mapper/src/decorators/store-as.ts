import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * Stores a member under another name. Short names save space, because every entity carries its
 * names. Not for keys, the ETag or the Timestamp: their stored names are the service's own.
 *
 * @param name - up to 255 characters: letters, digits and underscores, no digit first
 *
 * @example
 * ```ts
 * @StoreAs('cea') customerEmailAddress?: string
 * ```
 */
export function StoreAs(name: string): MemberDecorator<unknown> {
  return memberDecorator({ decorators: ['StoreAs'], storedName: name })
}
