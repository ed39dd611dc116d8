//! A strict reader of markup.

#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// The text directly inside, with character references resolved.
    pub text: String,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    pub fn has_class(&self, class: &str) -> bool {
        self.attribute("class").is_some_and(|classes| classes.split(' ').any(|own| own == class))
    }

    pub fn number(&self, name: &str) -> f64 {
        self.attribute(name).unwrap_or_else(|| panic!("{self:?} lacks {name}")).parse().unwrap()
    }

    /// The places that a path visits by absolute commands.
    pub fn places(&self) -> Vec<(f64, f64)> {
        let commands = self.attribute("d").unwrap().split(['M', 'L']).skip(1);
        let place = |command: &str| {
            let end = command.find(|c: char| c.is_alphabetic()).unwrap_or(command.len());
            let (x, y) = command[..end].split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        commands.map(place).collect()
    }
}

fn resolve(text: &str) -> Result<String, String> {
    let mut parts = text.split('&');
    let mut resolved = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (reference, rest) = part.split_once(';').ok_or_else(|| format!("bare & before {part:.20}"))?;
        resolved.push(match reference {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            _ => return Err(format!("unknown reference &{reference:.20};")),
        });
        resolved += rest;
    }
    Ok(resolved)
}

/// All elements in the order of their ends; an error if a tag is not closed, an attribute not quoted or given twice,
/// or a character not escaped.
pub fn parse(html: &str) -> Result<Vec<Element>, String> {
    let mut rest = html.strip_prefix("<!DOCTYPE html>\n").unwrap_or(html);
    let (mut open, mut closed): (Vec<Element>, Vec<Element>) = (Vec::new(), Vec::new());
    while let Some((text, tag)) = rest.split_once('<') {
        let raw = open.last().is_some_and(|element| element.name == "style");
        if text.contains('>') && !raw {
            return Err(format!("bare > in {text:.40}"));
        }
        match open.last_mut() {
            Some(element) => element.text += &resolve(text)?,
            None if text.trim().is_empty() => (),
            None => return Err(format!("text outside of all elements: {text:.40}")),
        }
        if let Some(tag) = tag.strip_prefix('/') {
            let (name, after) = tag.split_once('>').ok_or("end tag without end")?;
            let element = open.pop().filter(|element| element.name == name);
            closed.push(element.ok_or_else(|| format!("</{name:.20}> closes what is not open"))?);
            rest = after;
            continue;
        }
        let end = tag.find([' ', '>', '/']).ok_or("tag without end")?;
        let (name, mut inside) = tag.split_at(end);
        let mut element = Element { name: name.to_string(), attributes: Vec::new(), text: String::new() };
        while let Some(attribute) = inside.strip_prefix(' ') {
            let (key, value) = attribute.split_once("=\"").ok_or("attribute without quotes")?;
            let (value, after) = value.split_once('"').ok_or("quote without end")?;
            let is_name = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            if !is_name || element.attribute(key).is_some() || value.contains(['<', '>']) {
                return Err(format!("attribute {key:.20} of {name:.20}"));
            }
            element.attributes.push((key.to_string(), resolve(value)?));
            inside = after;
        }
        if let Some(after) = inside.strip_prefix("/>") {
            closed.push(element);
            rest = after;
        } else {
            rest = inside.strip_prefix('>').ok_or_else(|| format!("tag {name:.20} without end"))?;
            if name == "meta" { closed.push(element) } else { open.push(element) }
        }
    }
    if open.is_empty() && rest.trim().is_empty() { Ok(closed) } else { Err(format!("left open: {open:?}")) }
}

pub fn elements(html: &str) -> Vec<Element> {
    parse(html).unwrap_or_else(|error| panic!("{error}\n{html:.2000}"))
}

pub fn with_class<'a>(elements: &'a [Element], class: &'a str) -> impl Iterator<Item = &'a Element> {
    elements.iter().filter(move |element| element.has_class(class))
}

pub fn only<'a>(elements: &'a [Element], class: &'a str) -> &'a Element {
    let mut found = with_class(elements, class);
    let first = found.next().unwrap_or_else(|| panic!("no {class}"));
    assert!(found.next().is_none(), "more than one {class}");
    first
}
