//! What computes a network: a processor, or a GPU with the processor in reserve.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use outplay_gpu::GpuNetwork;
use outplay_net::{Arithmetic, Backend, NetError, Network, Opened, Processor, Reference};

use super::options::NetworkArithmetic;
use super::reserve::WithReserve;

/// What a network is computed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum NetworkDevice {
    /// A GPU that is there and works, and otherwise the processor, also when the GPU fails later.
    #[default]
    Auto,
    /// The processor.
    Processor,
    /// The GPU of this number and nothing else.
    Cuda(usize),
}

impl fmt::Display for NetworkDevice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NetworkDevice::Auto => write!(f, "auto"),
            NetworkDevice::Processor => write!(f, "cpu"),
            NetworkDevice::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

impl FromStr for NetworkDevice {
    type Err = NetError;

    fn from_str(text: &str) -> Result<NetworkDevice, NetError> {
        let word = text.trim().to_ascii_lowercase();
        match (word.as_str(), word.strip_prefix("cuda:").map(str::parse)) {
            ("auto", _) => Ok(NetworkDevice::Auto),
            ("cpu", _) => Ok(NetworkDevice::Processor),
            ("cuda", _) => Ok(NetworkDevice::Cuda(0)),
            (_, Some(Ok(number))) => Ok(NetworkDevice::Cuda(number)),
            _ => {
                let text = outplay_core::text::shortened(text);
                Err(NetError::Unsupported(format!(
                    "no device is called {text}: expected auto, cpu, cuda or cuda:N"
                )))
            }
        }
    }
}

/// A network ready to be run. Graphs of other shapes run themselves, in one way, on the processor.
///
/// # Errors
/// If the network cannot be run there. Where the device is left open, what a GPU refuses the processor does.
pub fn backend(
    opened: Opened,
    arithmetic: NetworkArithmetic,
    device: NetworkDevice,
) -> Result<Arc<dyn Backend>, NetError> {
    let only_here = |what: &str| {
        Err(NetError::Unsupported(format!(
            "{what} runs on the processor alone, not on {device}: set the device to auto or cpu"
        )))
    };
    match (opened, device) {
        (Opened::Graph(_), NetworkDevice::Cuda(_)) => {
            only_here("a graph of another shape than our networks have")
        }
        (Opened::Graph(graph), _) => Ok(Arc::new(graph)),
        (Opened::Tower(network), NetworkDevice::Processor) => on_processor(network, arithmetic),
        (Opened::Tower(_), NetworkDevice::Cuda(_)) if arithmetic == NetworkArithmetic::Reference => {
            only_here("the plain reference")
        }
        (Opened::Tower(network), NetworkDevice::Cuda(number)) => {
            Ok(Arc::new(GpuNetwork::new(&network, number)?))
        }
        (Opened::Tower(network), NetworkDevice::Auto) => {
            let wants_gpu = arithmetic != NetworkArithmetic::Reference;
            match wants_gpu.then(|| GpuNetwork::new(&network, 0)) {
                Some(Ok(gpu)) => {
                    let reserve = move || on_processor(network.clone(), arithmetic);
                    Ok(Arc::new(WithReserve::new(Arc::new(gpu), Box::new(reserve))))
                }
                // `outplay doctor` says why.
                Some(Err(_)) | None => on_processor(network, arithmetic),
            }
        }
    }
}

fn on_processor(network: Network, arithmetic: NetworkArithmetic) -> Result<Arc<dyn Backend>, NetError> {
    Ok(match arithmetic {
        NetworkArithmetic::Exact => Arc::new(Processor::new(&network, Arithmetic::Exact)?),
        NetworkArithmetic::Fast => Arc::new(Processor::new(&network, Arithmetic::Fast)?),
        NetworkArithmetic::Reference => Arc::new(Reference::new(network)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_in_few_words_and_others_are_refused() {
        for (text, device) in [
            ("auto", NetworkDevice::Auto),
            (" CPU", NetworkDevice::Processor),
            ("cuda", NetworkDevice::Cuda(0)),
            ("cuda:3", NetworkDevice::Cuda(3)),
        ] {
            assert_eq!(text.parse(), Ok(device));
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        for text in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:99999999999999999999999"] {
            let error = text.parse::<NetworkDevice>().expect_err("no device").to_string();
            assert!(error.contains("expected auto, cpu, cuda or cuda:N"), "{error}");
        }
    }
}
