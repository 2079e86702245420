import { ModelError } from '../errors/model-error.ts'
import { addRule, recordIn, recordOf } from './class-record.ts'
import { type MemberRule, overlayRule } from './member-rule.ts'

/** The part of a standard decorator's context that is used here. */
interface MemberContext {
  readonly name: string | symbol
  readonly static: boolean
  readonly private: boolean
  readonly metadata?: object | undefined
  addInitializer(initializer: (this: object) => void): void
}

/**
 * Records the rule of one decorator, however the class was compiled. Legacy decorators are called with
 * the prototype and the member's name, standard ones with a value and a context.
 *
 * @param target - the decorator's first argument
 * @param context - its second
 * @param rule - the rule of the decorator
 * @throws {@link ModelError} when the member is static, private or named by a symbol
 */
export function recordMember(target: unknown, context: unknown, rule: MemberRule): void {
  if (isMemberContext(context)) {
    recordStandard(context, rule)
  } else {
    recordLegacy(target as object, context as string | symbol, rule) // the arguments of legacy decorators
  }
}

/** Only standard decorators receive an object here. */
function isMemberContext(context: unknown): context is MemberContext {
  return typeof context === 'object' && context !== null
}

function recordStandard(context: MemberContext, rule: MemberRule): void {
  const name = checkMember('', context.name, context.static || context.private, rule)
  if (context.metadata !== undefined) {
    addRule(recordIn(context.metadata), name, rule)
    return
  }
  // Compilers of the 2022-03 proposal know the class only after it is constructed, which `modelOf` does.
  // Rules of base classes are then recorded for the subclass, which overrides them.
  context.addInitializer(function () {
    addRule(recordOf(this.constructor), name, rule, overlayRule)
  })
}

function recordLegacy(target: object, key: string | symbol, rule: MemberRule): void {
  const isStatic = typeof target === 'function'
  const owner = isStatic ? target : target.constructor
  const name = checkMember(owner.name, key, isStatic, rule)
  addRule(recordOf(owner), name, { ...rule, designType: designTypeOf(target, name) })
}

function checkMember(
  className: string,
  name: string | symbol,
  hidden: boolean,
  rule: MemberRule,
): string {
  if (typeof name === 'string' && !hidden) return name
  const decorator = `@${rule.decorators[0]}`
  throw new ModelError({
    className,
    property: String(name),
    problem:
      `${decorator} is on a static, private or symbol-named member. Only public instance ` +
      'members with a plain name are mapped: move the decorator to one.',
  })
}

/** Returns the declared type, if the compiler emitted it and reflect-metadata is loaded. */
function designTypeOf(prototype: object, member: string): unknown {
  // Present only if reflect-metadata is loaded.
  const reflect = Reflect as {
    getMetadata?: (key: string, target: object, member: string) => unknown
  }
  return reflect.getMetadata?.('design:type', prototype, member)
}
