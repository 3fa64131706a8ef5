//! OBIS codes: what a register counts (IEC 62056-61, L3).

use std::fmt;

use crate::model::{MeterRateTask, MeterType};
use crate::text;
use crate::text::Text;
use crate::white_space::trimmed;

/// A code of the form `medium-channel:class.type.number`, such as `1-0:1.8.0`, each part from 0 to 255.
///
/// A trailing `*255` (value group F: the running billing period) is read over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ObisCode {
    /// What is carried (value group A): 1 electricity, 5 and 6 heat, 7 gas, 8 cold water, 9 warm water.
    pub medium: u8,
    /// Which of several meters in one housing (B).
    pub channel: u8,
    /// The quantity (C).
    pub class: u8,
    /// How it is formed from measurements (D).
    pub kind: u8,
    /// The tariff, 0 for the total (E).
    pub number: u8,
}

/// The text is not an OBIS code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an OBIS code has the form medium-channel:class.type.number, such as 1-0:1.8.0")]
pub struct InvalidObis;

impl From<InvalidObis> for Text {
    fn from(error: InvalidObis) -> Self {
        text!("eine OBIS-Kennzahl hat die Form Medium-Kanal:Messgröße.Messart.Tarif, etwa 1-0:1.8.0", "{error}")
    }
}

impl std::str::FromStr for ObisCode {
    type Err = InvalidObis;

    fn from_str(text: &str) -> Result<Self, InvalidObis> {
        let text = text.strip_suffix("*255").unwrap_or(text);
        let (prefix, register) = text.split_once(':').ok_or(InvalidObis)?;
        let (medium, channel) = prefix.split_once('-').ok_or(InvalidObis)?;
        let mut parts = register.split('.');
        let mut next = || part(parts.next().ok_or(InvalidObis)?);
        let code = Self { medium: part(medium)?, channel: part(channel)?, class: next()?, kind: next()?, number: next()? };
        if parts.next().is_some() { Err(InvalidObis) } else { Ok(code) }
    }
}

fn part(text: &str) -> Result<u8, InvalidObis> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().map_err(|_| InvalidObis) } else { Err(InvalidObis) }
}

impl fmt::Display for ObisCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}:{}.{}.{}", self.medium, self.channel, self.class, self.kind, self.number)
    }
}

impl ObisCode {
    /// Both name the same quantity, tariff included, of any medium and channel: what a display shows of a code.
    pub fn same_register(self, other: Self) -> bool {
        (self.class, self.kind, self.number) == (other.class, other.kind, other.number)
    }

    /// What kind of meter has such a register (L3).
    ///
    /// 5 stands for heat beside 6, because the default code of heat meters is `5-0:0.0.0` (D-READING-12).
    pub fn meter_type(self) -> MeterType {
        match self.medium {
            1 => MeterType::ElectricMeter,
            5 | 6 => MeterType::HeatMeter,
            7 => MeterType::GasMeter,
            8 => MeterType::WaterMeter,
            9 => MeterType::WaterWarmMeter,
            _ => MeterType::GenericMeter,
        }
    }

    /// The unit of the register, as a person reads it on the meter; `None` where the code does not say.
    pub fn unit(self) -> Option<&'static str> {
        if (self.class, self.kind, self.number) == (0, 0, 0) {
            return self.unit_of_default_code();
        }
        match self.medium {
            1 => self.electric_unit(),
            5 | 6 => match self.class {
                1 => Some("kWh"),
                2 | 4 | 6 => Some("m³"),
                3 | 5 | 7 => Some("kg"),
                8 => Some("m³/h"),
                9 => Some("kW"),
                10 | 11 => Some("°C"),
                12 => Some("K"),
                13 => Some("bar"),
                _ => None,
            },
            7 => match self.class {
                1..=8 | 11..=18 | 21..=28 => Some("m³"),
                31..=38 => Some("kWh"),
                41 => Some("°C"),
                42 => Some("bar"),
                43 => Some("m³/h"),
                _ => None,
            },
            8 | 9 => match self.class {
                1 => Some("m³"),
                2 => Some("m³/h"),
                3 => Some("°C"),
                _ => None,
            },
            _ => None,
        }
    }

    /// The default codes say nothing but the medium, so their unit is what its meters usually count.
    fn unit_of_default_code(self) -> Option<&'static str> {
        match self.meter_type() {
            MeterType::ElectricMeter | MeterType::HeatMeter => Some("kWh"),
            MeterType::GasMeter | MeterType::WaterMeter | MeterType::WaterWarmMeter => Some("m³"),
            MeterType::GenericMeter => None,
        }
    }

    fn electric_unit(self) -> Option<&'static str> {
        // The classes 21 to 80 repeat 1 to 20 for each of the three phases.
        let quantity = match self.class {
            21..=80 => (self.class - 1) % 20 + 1,
            other => other,
        };
        let integrated = matches!(self.kind, 8 | 9 | 10 | 17..=20 | 29 | 30 | 58);
        match quantity {
            1 | 2 | 15..=20 => Some(if integrated { "kWh" } else { "kW" }),
            3..=8 => Some(if integrated { "kvarh" } else { "kvar" }),
            9 | 10 => Some(if integrated { "kVAh" } else { "kVA" }),
            11 | 90 | 91 => Some(if integrated { "Ah" } else { "A" }),
            12 | 92 => Some(if integrated { "Vh" } else { "V" }),
            14 => Some("Hz"),
            81 => Some("°"),
            88 => Some("A²h"),
            89 => Some("V²h"),
            _ => None,
        }
    }
}

/// What kind of meter has such a register; a text that is no code is generic (L3).
pub fn meter_type(obis: &str) -> MeterType {
    obis.parse::<ObisCode>().map_or(MeterType::GenericMeter, ObisCode::meter_type)
}

/// The code as it is compared and as partners get it, without what is read over: `1-0:1.8.0` of `1-0:1.8.0*255`; a text that is no code stays as it is.
pub fn plain(obis: &str) -> String {
    obis.parse::<ObisCode>().map_or_else(|_| obis.to_owned(), |code| code.to_string())
}

/// The code for a meter of which only the type is known (L3).
pub fn default_code(meter_type: MeterType) -> &'static str {
    match meter_type {
        MeterType::ElectricMeter => "1-0:0.0.0",
        MeterType::HeatMeter => "5-0:0.0.0",
        MeterType::GasMeter => "7-0:0.0.0",
        MeterType::WaterMeter => "8-0:0.0.0",
        MeterType::WaterWarmMeter => "9-0:0.0.0",
        MeterType::GenericMeter => "0-0:0.0.0",
    }
}

/// Units of what a meter measures at the moment.
const MOMENTARY: [&str; 11] = ["kW", "kvar", "kVA", "A", "V", "Hz", "°", "m³/h", "°C", "K", "bar"];

/// Whether two readings in this unit make no consumption: a power or a temperature, no counter.
pub fn is_momentary(unit: &str) -> bool {
    MOMENTARY.contains(&unit)
}

/// True for a register that counts what is fed into the grid (L3).
pub fn is_feed_in(obis: &str) -> bool {
    obis.contains(":2.8")
}

/// The rate's name and its code without what stands before the colon: `HT 1.8.1` (L3).
pub fn display_name(rate_name: Option<&str>, obis: &str) -> String {
    let code = obis.split_once(':').map_or(obis, |(_, code)| code);
    match rate_name.map(trimmed).filter(|name| !name.is_empty()) {
        Some(name) => format!("{name} {code}"),
        None => code.to_owned(),
    }
}

/// The unit to show and to export for a rate: the tenant's own, else the code's.
pub fn task_unit(task: &MeterRateTask) -> Option<&str> {
    match &task.unit {
        Some(unit) => Some(unit),
        None => task.obis.parse::<ObisCode>().ok().and_then(ObisCode::unit),
    }
}
