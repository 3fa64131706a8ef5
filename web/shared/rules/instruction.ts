/** Which reading instructions belong to a meter (L5). The twin of `functions/domain/src/instruction.rs`. */

/** An instruction's conditions (`MeterReadingInstruction`). */
export interface Instruction {
  readonly obisFilter: string
  readonly meterNumberFilter: string
  readonly multiMeterRate?: boolean | null | undefined
}

/** What the conditions look at. */
export interface InstructedMeter {
  readonly meterNumber: string
  readonly meterRateTasks: readonly { readonly obis: string }[]
}

function matches(filter: string, texts: readonly string[]): boolean {
  try {
    const pattern = new RegExp(filter, 'u')
    return texts.some((text) => pattern.test(text))
  } catch {
    return false
  }
}

/** Whether the instruction applies: both filters match, and the number of rates is the wanted one; an invalid filter matches nothing. */
export function instructionApplies(instruction: Instruction, meter: InstructedMeter): boolean {
  const rates = meter.meterRateTasks
  return (
    matches(
      instruction.obisFilter,
      rates.map((rate) => rate.obis),
    ) &&
    matches(instruction.meterNumberFilter, [meter.meterNumber]) &&
    (instruction.multiMeterRate ?? rates.length > 1) === rates.length > 1
  )
}
